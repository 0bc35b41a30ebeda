// Debian package: libcurl4-openssl-dev.
#include <curl/curl.h>

// `curl_easy_setopt`, `curl_easy_getinfo` and `curl_multi_setopt` are variadic, so Swift cannot call them. Each
// function below has an argument of one type. The parentheses around the names disable the header's type-checking
// macros.

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
  return (curl_easy_setopt)(easy, option, value);
}

// libcurl copies the text.
static inline CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
  return (curl_easy_setopt)(easy, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return (curl_easy_setopt)(easy, option, value);
}

typedef size_t (*ccurl_write_callback)(char *bytes, size_t size, size_t count, void *context);

// For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
static inline CURLcode ccurl_set_write_callback(CURL *easy, CURLoption option, ccurl_write_callback function) {
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

// Returns the result of a CURLMSG_DONE message, which is a member of a union.
static inline CURLcode ccurl_result(const CURLMsg *message) { return message->data.result; }
