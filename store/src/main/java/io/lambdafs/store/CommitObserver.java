package io.lambdafs.store;

/** Hears of commits, for metrics. Called by the group-commit thread: must be quick. */
public interface CommitObserver {
    /** Hears nothing. */
    CommitObserver NONE = new CommitObserver() {
        @Override
        public void group(int commits, long bytes, long nanos) {}

        @Override
        public void failed(int commits) {}
    };

    /**
     * A group is durable.
     *
     * @param commits in it
     * @param bytes written
     * @param nanos that write and fsync took
     */
    void group(int commits, long bytes, long nanos);

    /** Commits were refused: too late, or no room, or the write failed. */
    void failed(int commits);
}
