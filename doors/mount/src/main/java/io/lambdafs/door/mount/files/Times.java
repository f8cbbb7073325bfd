package io.lambdafs.door.mount.files;

/**
 * The times of a file with contents to publish. Publishing sets the time of modification, but a time that a program has
 * set or seen has to stay. For one thread at a time.
 */
final class Times {
    private static final long UNSET = -1;

    private long writtenMillis = UNSET;
    private long mtimeMillis = UNSET;
    private long atimeMillis = UNSET;

    /** Notes a write: the time of modification is now. */
    void written() {
        writtenMillis = System.currentTimeMillis();
        mtimeMillis = UNSET;
    }

    /** Notes times that were set; a negative one was not. */
    void set(long mtime, long atime) {
        mtimeMillis = mtime < 0 ? mtimeMillis : mtime;
        atimeMillis = atime < 0 ? atimeMillis : atime;
    }

    /** Returns the time of modification, which then stays. */
    long mtimeToTell(long stored) {
        if (mtimeMillis == UNSET) {
            mtimeMillis = writtenMillis;
        }
        return mtimeMillis == UNSET ? stored : mtimeMillis;
    }

    long atimeToTell(long stored) {
        return atimeMillis == UNSET ? stored : atimeMillis;
    }

    /** Sets those that have to stay, once everything is published. */
    void apply(Upload upload) throws InterruptedException {
        if (mtimeMillis != UNSET || atimeMillis != UNSET) {
            upload.setTimes(mtimeMillis, atimeMillis);
        }
        writtenMillis = UNSET;
        mtimeMillis = UNSET;
        atimeMillis = UNSET;
    }
}
