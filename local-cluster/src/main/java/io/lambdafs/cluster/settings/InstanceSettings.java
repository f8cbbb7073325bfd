package io.lambdafs.cluster.settings;

import static io.lambdafs.cluster.settings.SettingsCheck.check;

/**
 * Limits of an instance.
 *
 * @param memoryMb charged against the pool, and billed
 * @param cpuShare virtual CPUs, 0 for no limit
 * @param concurrency concurrent HTTP requests: the paper's ConcurrencyLevel (§3.4)
 * @param maxInFlight maximum concurrent operations, by HTTP and TCP; excess ones are refused and return by HTTP
 * @param cacheBytes of its metadata cache; 0 for none
 * @param smallFileLimitBytes maximum content stored with the metadata
 * @param reclaimBatch entries of a removed directory reclaimed per transaction
 * @param reclaimParallel such transactions at once
 * @param changeLogEntries change log entries kept; 0 for no change log
 * @param trashMinutes minimum retention in users' trash; 0 for unlimited
 * @param boostMillis CPU time beyond its share that a new instance may use, once: a platform's start boost
 * @param archive whether instances start from a class archive, which the first ones make
 * @param snapshots whether instances are restored from the image of a rehearsed one, where this machine can
 * @param jdk home of its JDK; empty for the one the cluster is started with
 * @param runtime {@code action}, OpenWhisk's protocol; or {@code lambda}, AWS Lambda's: one invocation at a time,
 *     frozen in between; or {@code lambda-held}, the same with invocations held open to serve by TCP
 */
public record InstanceSettings(
        int memoryMb,
        double cpuShare,
        int concurrency,
        int maxInFlight,
        long cacheBytes,
        int smallFileLimitBytes,
        int reclaimBatch,
        int reclaimParallel,
        int changeLogEntries,
        int trashMinutes,
        int boostMillis,
        boolean archive,
        boolean snapshots,
        String jdk,
        String runtime) {
    public InstanceSettings {
        check(memoryMb >= 96, "instance.memoryMb", "at least 96", memoryMb);
        check(
                runtime.matches("action|lambda|lambda-held"),
                "instance.runtime",
                "action, lambda or lambda-held",
                runtime);
        check(cpuShare >= 0 && cpuShare <= 1_024, "instance.cpuShare", "0..1024", cpuShare);
        check(concurrency >= 1 && concurrency <= 10_000, "instance.concurrency", "1..10000", concurrency);
        check(maxInFlight >= 1 && maxInFlight <= 1 << 19, "instance.maxInFlight", "1..524288", maxInFlight);
        check(cacheBytes >= 64 << 10 || cacheBytes == 0, "instance.cacheBytes", "0 or at least 65536", cacheBytes);
        check(
                smallFileLimitBytes >= 0 && smallFileLimitBytes <= 512 << 10,
                "instance.smallFileLimitBytes",
                "0..524288",
                smallFileLimitBytes);
        check(reclaimBatch >= 16 && reclaimBatch <= 4_096, "instance.reclaimBatch", "16..4096", reclaimBatch);
        check(reclaimParallel >= 1 && reclaimParallel <= 64, "instance.reclaimParallel", "1..64", reclaimParallel);
        check(
                changeLogEntries >= 1_000 || changeLogEntries == 0,
                "instance.changeLogEntries",
                "0 or at least 1000",
                changeLogEntries);
        check(trashMinutes >= 0, "instance.trashMinutes", "0 or more", trashMinutes);
        check(boostMillis >= 0 && boostMillis <= 60_000, "instance.boostMillis", "0..60000", boostMillis);
    }

    /** Returns whether its share is less than one processor. */
    public boolean hasPartOfProcessor() {
        return cpuShare > 0 && cpuShare < 1;
    }
}
