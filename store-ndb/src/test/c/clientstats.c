/* What NDB's client counts, and its Java interface does not tell: the native method of ClientStats. */
#include <jni.h>
#include <string.h>

extern unsigned long long _ZNK3Ndb13getClientStatEj(const void *ndb, unsigned number);
extern const char *_ZNK3Ndb17getClientStatNameEj(const void *ndb, unsigned number);

/* A count of an Ndb object by its name; -1 where there is none. */
JNIEXPORT jlong JNICALL Java_io_lambdafs_store_ndb_ClientStats_count(JNIEnv *env, jclass type, jlong address, jstring name) {
    const void *ndb = (const void *)address;
    const char *wanted = (*env)->GetStringUTFChars(env, name, NULL);
    jlong count = -1;
    (void)type;
    for (unsigned i = 0; count < 0; i++) {
        const char *each = _ZNK3Ndb17getClientStatNameEj(ndb, i);
        if (each == NULL) break;
        if (strcmp(each, wanted) == 0) count = (jlong)_ZNK3Ndb13getClientStatEj(ndb, i);
    }
    (*env)->ReleaseStringUTFChars(env, name, wanted);
    return count;
}
