package io.lambdafs.functions.instance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class InstanceJvmTest {
    private static final Path ARCHIVE = Path.of("/a");
    private static final Path RECORDING = Path.of("/r");

    private final InstanceJvm old = new InstanceJvm(Runtime.Version.parse("24.0.1"));
    private final InstanceJvm withCache = new InstanceJvm(Runtime.Version.parse("25.0.2+9"));

    @Test
    void shouldStartFromAClassDataArchiveOnAnOlderJdk() {
        assertThat(old.archiveName()).isEqualTo("instance-24.0.1.jsa");
        assertThat(old.use(ARCHIVE))
                .containsExactly("-XX:SharedArchiveFile=/a", "-Xlog:disable", "-Xlog:all=error:stderr");
        assertThat(old.record("/r"))
                .containsExactly("-XX:DumpLoadedClassList=/r", "-Xlog:disable", "-Xlog:all=error:stderr");
        assertThat(old.create(RECORDING, ARCHIVE))
                .containsExactly("-Xshare:dump", "-XX:SharedClassListFile=/r", "-XX:SharedArchiveFile=/a");
    }

    @Test
    void shouldStartFromAnAotCacheWhereThereIsOne() {
        assertThat(withCache.archiveName()).isEqualTo("instance-25.0.2+9.aot");
        assertThat(withCache.use(ARCHIVE))
                .containsExactly("-XX:AOTCache=/a", "-Xlog:disable", "-Xlog:all=error:stderr");
        assertThat(withCache.record("/r"))
                .containsExactly(
                        "-XX:AOTMode=record", "-XX:AOTConfiguration=/r", "-Xlog:disable", "-Xlog:all=error:stderr");
        assertThat(withCache.create(RECORDING, ARCHIVE))
                .containsExactly("-XX:AOTMode=create", "-XX:AOTConfiguration=/r", "-XX:AOTCache=/a");
    }

    @Test
    void shouldCompileWithTheFirstCompilerAloneOnAPartOfAProcessor() {
        assertThat(old.options("-Xmx64m", true))
                .startsWith("-Xmx64m", "-Xss512k")
                .endsWith("-XX:TieredStopAtLevel=1");
        assertThat(old.options("-Xmx64m", false)).contains("-XX:+UseG1GC").doesNotContain("-XX:TieredStopAtLevel=1");
        assertThat(InstanceJvm.mainClass()).isEqualTo("io.lambdafs.functions.instance.ActionMain");
    }
}
