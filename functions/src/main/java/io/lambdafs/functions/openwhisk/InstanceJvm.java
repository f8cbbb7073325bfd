package io.lambdafs.functions.openwhisk;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The JVM options of an instance, whatever platform starts it. An archive of its classes, made from what a training run has recorded,
 * takes away most of what a cold start costs: an AOT cache where the JDK has it, else a class data archive. It fits the JDK that made it
 * and these jars; a JVM that finds none, or one that does not fit, starts without. Immutable.
 *
 * @param version of the JDK that runs the instance
 */
public record InstanceJvm(Runtime.Version version) {
    /** Since this release a cache is made in two steps without a JVM that runs in a mode of its own. */
    private static final int HAS_AOT_CACHE = 25;
    /** The JVM is to start as ever, and to say nothing, whatever becomes of the archive. */
    private static final List<String> SILENTLY = List.of("-Xlog:disable", "-Xlog:all=error:stderr");
    /**
     * A cache fills its heap, and to compact that takes a tenth of a second. What is cached stays, so that a collection of many young
     * objects copies as many, and twice where they stay young for longer: the fewer the longer a collection took. Old objects are collected
     * in small portions. A collection is to be short even if one thread does it all, for others may have the processors. Few threads:
     * instances share their machine.
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

    /** Its class with {@code main}. */
    public static String mainClass() {
        return ActionMain.class.getName();
    }

    /**
     * Memory, collector and compilers.
     *
     * @param heap the option that bounds the heap
     * @param hasPartOfProcessor less than one virtual CPU
     */
    public List<String> options(String heap, boolean hasPartOfProcessor) {
        List<String> options = new ArrayList<>(List.of(heap, "-Xss512k"));
        options.addAll(COLLECTOR);
        if (hasPartOfProcessor) {
            // The second compiler would take much of its share, and most do not live long enough for that to pay.
            options.add("-XX:TieredStopAtLevel=1");
        }
        return options;
    }

    /** The name of the archive: with the whole version, for after an update of the JDK the archive of the one before fits no more. */
    public String archiveName() {
        return "instance-" + version + (hasAotCache() ? ".aot" : ".jsa");
    }

    private boolean hasAotCache() {
        return version.feature() >= HAS_AOT_CACHE;
    }

    /** The options by which a JVM starts from an archive, where there is one that fits. */
    public List<String> use(Path archive) {
        return silently((hasAotCache() ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + archive);
    }

    /** The options by which an instance records, at its orderly end, which classes it used. */
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

    /** The options by which a JVM makes an archive of a recording, and ends. */
    public List<String> create(Path recording, Path archive) {
        return hasAotCache()
                ? List.of("-XX:AOTMode=create", "-XX:AOTConfiguration=" + recording, "-XX:AOTCache=" + archive)
                : List.of("-Xshare:dump", "-XX:SharedClassListFile=" + recording, "-XX:SharedArchiveFile=" + archive);
    }
}
