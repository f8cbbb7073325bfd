package io.lambdafs.functions.instance;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The JVM options of an instance on any platform. An archive of its classes, built from a training run, removes most of
 * the cost of a cold start: an AOT cache if the JDK supports it, else a class data archive. It is specific to the JDK
 * that built it and to these jars; a JVM without a matching archive starts without one. Immutable.
 *
 * @param version of the JDK that runs the instance
 */
public record InstanceJvm(Runtime.Version version) {
    /** Since this release, an AOT cache is built in two steps without a special JVM mode. */
    private static final int HAS_AOT_CACHE = 25;
    /** The JVM must start normally and silently even if the archive is unusable. */
    private static final List<String> SILENTLY = List.of("-Xlog:disable", "-Xlog:all=error:stderr");
    /**
     * The cache fills the heap, and compacting it takes a tenth of a second. Cached objects live long, so collecting a
     * large young generation copies them all, twice if they stay young longer; the young generation is therefore small.
     * Old objects are collected in small portions. A collection must be short even on a single thread, because others
     * may occupy the processors. Few threads, because instances share a machine.
     */
    private static final List<String> COLLECTOR = List.of(
            "-XX:+UseG1GC",
            "-XX:MaxGCPauseMillis=2",
            "-XX:+UnlockExperimentalVMOptions",
            "-XX:G1NewSizePercent=3",
            "-XX:G1MaxNewSizePercent=10",
            "-XX:MaxTenuringThreshold=1",
            "-XX:G1MixedGCCountTarget=16",
            "-XX:G1OldCSetRegionThresholdPercent=4",
            "-XX:ParallelGCThreads=2",
            "-XX:ConcGCThreads=1");

    /** Returns the main class. */
    public static String mainClass() {
        return ActionMain.class.getName();
    }

    /** Returns the main class of the process from whose image instances are restored. */
    public static String templateClass() {
        return TemplateMain.class.getName();
    }

    /**
     * Returns the options for memory, collector and compilers.
     *
     * @param heap the option that bounds the heap
     * @param hasPartOfProcessor whether it has less than one virtual CPU
     */
    public List<String> options(String heap, boolean hasPartOfProcessor) {
        List<String> options = new ArrayList<>(List.of(heap, "-Xss512k"));
        options.addAll(COLLECTOR);
        if (hasPartOfProcessor) {
            // C2 would use much of a small share, and most such instances do not live long enough for it to pay off.
            options.add("-XX:TieredStopAtLevel=1");
        }
        return options;
    }

    /** Returns the archive's file name, with the full JDK version because an archive does not fit an updated JDK. */
    public String archiveName() {
        return "instance-" + version + (hasAotCache() ? ".aot" : ".jsa");
    }

    private boolean hasAotCache() {
        return version.feature() >= HAS_AOT_CACHE;
    }

    /** Returns the options to start from an archive, if a matching one exists. */
    public List<String> use(Path archive) {
        return silently((hasAotCache() ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + archive);
    }

    /** Returns the options to record the classes used, at the instance's orderly end. */
    public List<String> record(String recording) {
        return hasAotCache()
                ? silently("-XX:AOTMode=record", "-XX:AOTConfiguration=" + recording)
                : silently("-XX:DumpLoadedClassList=" + recording);
    }

    private static List<String> silently(String... options) {
        List<String> all = new ArrayList<>(List.of(options));
        all.addAll(SILENTLY);
        return all;
    }

    /** Returns the options to build an archive from a recording and exit. */
    public List<String> create(Path recording, Path archive) {
        return hasAotCache()
                ? List.of("-XX:AOTMode=create", "-XX:AOTConfiguration=" + recording, "-XX:AOTCache=" + archive)
                : List.of("-Xshare:dump", "-XX:SharedClassListFile=" + recording, "-XX:SharedArchiveFile=" + archive);
    }
}
