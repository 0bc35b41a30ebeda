#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>

// The name of the interface that curl.h describes.
static const char library_name[] = "libcurl.so.4";

#define FOR_EACH_FUNCTION(each) \
  each(url) each(url_dup) each(url_cleanup) each(url_get) each(url_set) each(free) each(getdate) each(global_init) \
  each(multi_init) each(multi_cleanup) each(multi_setopt) each(multi_add_handle) each(multi_remove_handle) \
  each(multi_perform) each(multi_poll) each(multi_wakeup) each(multi_info_read) each(easy_init) each(easy_cleanup) \
  each(easy_pause) each(easy_strerror) each(easy_setopt) each(slist_append) each(slist_free_all)

// libcurl's functions, which are set once.
static struct {
#define DECLARE(name) __typeof__(curl_##name) *name;
  FOR_EACH_FUNCTION(DECLARE)
} curl;

static int is_loaded;

static void load(void) {
  // Never closed: the libraries that it loads cannot be unloaded.
  void *library = dlopen(library_name, RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return;
#define FIND(name) \
  curl.name = (__typeof__(curl.name))dlsym(library, "curl_" #name); \
  if (curl.name == NULL) return;
  FOR_EACH_FUNCTION(FIND)
  is_loaded = 1;
}

int ccurl_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded;
}

CURLU *ccurl_url(void) { return curl.url(); }
CURLU *ccurl_url_dup(CURLU *url) { return curl.url_dup(url); }
void ccurl_url_cleanup(CURLU *url) { curl.url_cleanup(url); }
CURLUcode ccurl_url_get(CURLU *url, CURLUPart part, char **text, unsigned flags) {
  return curl.url_get(url, part, text, flags);
}
CURLUcode ccurl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned flags) {
  return curl.url_set(url, part, text, flags);
}
void ccurl_free(void *memory) { curl.free(memory); }
time_t ccurl_getdate(const char *text) { return curl.getdate(text, NULL); }

CURLcode ccurl_global_init(long flags) { return curl.global_init(flags); }
CURLM *ccurl_multi_init(void) { return curl.multi_init(); }
CURLMcode ccurl_multi_cleanup(CURLM *multi) { return curl.multi_cleanup(multi); }
CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl.multi_setopt(multi, option, value);
}
CURLMcode ccurl_multi_add_handle(CURLM *multi, CURL *easy) { return curl.multi_add_handle(multi, easy); }
CURLMcode ccurl_multi_remove_handle(CURLM *multi, CURL *easy) { return curl.multi_remove_handle(multi, easy); }
CURLMcode ccurl_multi_perform(CURLM *multi, int *count) { return curl.multi_perform(multi, count); }
CURLMcode ccurl_multi_poll(CURLM *multi, int milliseconds) {
  return curl.multi_poll(multi, NULL, 0, milliseconds, NULL);
}
CURLMcode ccurl_multi_wakeup(CURLM *multi) { return curl.multi_wakeup(multi); }
CURLMsg *ccurl_multi_info_read(CURLM *multi, int *count) { return curl.multi_info_read(multi, count); }
CURLcode ccurl_result(const CURLMsg *message) { return message->data.result; }

CURL *ccurl_easy_init(void) { return curl.easy_init(); }
void ccurl_easy_cleanup(CURL *easy) { curl.easy_cleanup(easy); }
CURLcode ccurl_easy_pause(CURL *easy, int bits) { return curl.easy_pause(easy, bits); }
const char *ccurl_easy_strerror(CURLcode code) { return curl.easy_strerror(code); }
struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text) {
  return curl.slist_append(list, text);
}
void ccurl_slist_free_all(struct curl_slist *list) { curl.slist_free_all(list); }

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) { return curl.easy_setopt(easy, option, value); }
CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl.easy_setopt(easy, option, value);
}
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl.easy_setopt(easy, option, value);
}
CURLcode ccurl_set_write_callback(CURL *easy, CURLoption option, ccurl_write_callback function) {
  return curl.easy_setopt(easy, option, function);
}
CURLcode ccurl_set_before_request(CURL *easy, ccurl_before_request function) {
  return curl.easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}
CURLcode ccurl_set_open_socket(CURL *easy, curl_opensocket_callback function) {
  return curl.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}
