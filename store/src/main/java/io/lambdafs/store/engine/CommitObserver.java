package io.lambdafs.store.engine;

/** A listener for commits, used for metrics. Called by the group-commit thread; must be quick. */
public interface CommitObserver {
    /** Ignores all commits. */
    CommitObserver NONE = new CommitObserver() {
        @Override
        public void group(int commits, long bytes, long nanos) {}

        @Override
        public void failed(int commits) {}
    };

    /**
     * Called when a group is durable.
     *
     * @param commits in it
     * @param bytes written
     * @param nanos duration of write and fsync
     */
    void group(int commits, long bytes, long nanos);

    /** Called when commits failed: past their deadline, no space, or a write error. */
    void failed(int commits);
}
