// Debian package: libcurl4-openssl-dev.
#include <curl/curl.h>

// `curl_easy_setopt`, `curl_easy_getinfo` and `curl_multi_setopt` take an argument of any type, which Swift cannot call; each of
// these takes what its option has. The macros of the header that check types come out of the way with the brackets.

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
  return (curl_easy_setopt)(easy, option, value);
}

// The text is copied.
static inline CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
  return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return (curl_easy_setopt)(easy, option, value);
}

typedef size_t (*ccurl_intake)(char *bytes, size_t size, size_t count, void *context);

// For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
static inline CURLcode ccurl_set_intake(CURL *easy, CURLoption option, ccurl_intake function) {
  return (curl_easy_setopt)(easy, option, function);
}

typedef int (*ccurl_before_request)(void *context, char *address, char *local_address, int port, int local_port);

// For CURLOPT_PREREQFUNCTION.
static inline CURLcode ccurl_set_before_request(CURL *easy, ccurl_before_request function) {
  return (curl_easy_setopt)(easy, CURLOPT_PREREQFUNCTION, function);
}

// For CURLOPT_OPENSOCKETFUNCTION.
static inline CURLcode ccurl_set_open_socket(CURL *easy, curl_opensocket_callback function) {
  return (curl_easy_setopt)(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return (curl_multi_setopt)(multi, option, value);
}

// The result of a message that says CURLMSG_DONE: a member of a union.
static inline CURLcode ccurl_result(const CURLMsg *message) { return message->data.result; }
