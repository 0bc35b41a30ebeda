// libcurl, which is loaded when it is first needed: it needs some thirty libraries, and most runs download nothing.
//
// Debian packages: libcurl4-openssl-dev to compile, libcurl4 to run.
//
// A function named ccurl_x calls libcurl's curl_x. It must not be called unless ccurl_load() has returned 1.
#ifndef CCURL_H
#define CCURL_H

#include <curl/curl.h>

// Loads libcurl unless it is loaded, on any thread.
//
// Returns 1, or 0 if the library is not installed or lacks a function.
int ccurl_load(void);

// For addresses and dates.
CURLU *ccurl_url(void);
CURLU *ccurl_url_dup(CURLU *url);
void ccurl_url_cleanup(CURLU *url);
CURLUcode ccurl_url_get(CURLU *url, CURLUPart part, char **text, unsigned flags);
CURLUcode ccurl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned flags);
void ccurl_free(void *memory);
time_t ccurl_getdate(const char *text);

// For all transfers.
CURLcode ccurl_global_init(long flags);
CURLM *ccurl_multi_init(void);
CURLMcode ccurl_multi_cleanup(CURLM *multi);
CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLMcode ccurl_multi_add_handle(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_remove_handle(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_perform(CURLM *multi, int *count);
CURLMcode ccurl_multi_poll(CURLM *multi, int milliseconds);
CURLMcode ccurl_multi_wakeup(CURLM *multi);
CURLMsg *ccurl_multi_info_read(CURLM *multi, int *count);
// Returns the result of a CURLMSG_DONE message, which is a member of a union.
CURLcode ccurl_result(const CURLMsg *message);

// For one transfer.
CURL *ccurl_easy_init(void);
void ccurl_easy_cleanup(CURL *easy);
CURLcode ccurl_easy_pause(CURL *easy, int bits);
const char *ccurl_easy_strerror(CURLcode code);
struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text);
void ccurl_slist_free_all(struct curl_slist *list);

// curl_easy_setopt, which is variadic, so that Swift cannot call it, for values of each type.

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);
// libcurl copies the text.
CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value);
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value);

typedef size_t (*ccurl_write_callback)(char *bytes, size_t size, size_t count, void *context);
// For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
CURLcode ccurl_set_write_callback(CURL *easy, CURLoption option, ccurl_write_callback function);

typedef int (*ccurl_before_request)(void *context, char *address, char *local_address, int port, int local_port);
// For CURLOPT_PREREQFUNCTION.
CURLcode ccurl_set_before_request(CURL *easy, ccurl_before_request function);

// For CURLOPT_OPENSOCKETFUNCTION.
CURLcode ccurl_set_open_socket(CURL *easy, curl_opensocket_callback function);

#endif
