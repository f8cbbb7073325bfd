package io.lambdafs.hammer.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.hammer.workload.OperationKind;
import io.lambdafs.model.FsPath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AuditLogTest {
    private static final String TIME = "2026-01-31 23:59:59,999 INFO FSNamesystem.audit: ";

    @TempDir
    private Path folder;

    private static String line(String fields) {
        return TIME + fields.replace(" | ", "\t");
    }

    private List<TraceRecord> read(AuditLog log) throws Exception {
        List<TraceRecord> records = new ArrayList<>();
        try (AuditReader reader = log.open()) {
            for (TraceRecord record = reader.next(); record != null; record = reader.next()) {
                records.add(record);
            }
        }
        return records;
    }

    @Test
    void shouldReadFieldsOfHdfs() throws Exception {
        Path file = Files.writeString(
                folder.resolve("hdfs-audit.log"),
                line(
                        "allowed=true | ugi=al (auth:KERBEROS) | ip=/10.1.2.3 | cmd=rename (options=[OVERWRITE]) | src=/a b"
                                + " | dst=/c=d | perm=al:hadoop:rw-r--r-- | proto=rpc | callerContext=job_1"));
        assertThat(read(new AuditLog(List.of(file))))
                .containsExactly(new TraceRecord(
                        1_769_903_999_999_000_000L,
                        "al (auth:KERBEROS)@/10.1.2.3",
                        OperationKind.MV,
                        FsPath.of("/a b"),
                        FsPath.of("/c=d"),
                        0,
                        true));
    }

    @Test
    void shouldCountWhatItLeavesOutByItsReason() throws Exception {
        String good = line("allowed=true | ugi=al | ip=/1 | cmd=open | src=/a | dst=null | perm=null");
        Path file = Files.write(
                folder.resolve("audit"),
                List.of(
                        "java.io.IOException: noise",
                        "\tat org.apache.hadoop.Noise(Noise.java:1)",
                        good,
                        good.replace("allowed=true", "allowed=false"),
                        good.replace("cmd=open", "cmd=setTimes"),
                        good.replace("cmd=open", "cmd=setTimes"),
                        good.substring(0, good.indexOf("\tdst")),
                        good.substring(0, good.indexOf("=/a") + 2),
                        good.substring(0, good.indexOf("\tperm")),
                        good.replace("src=/a", "src=a//b"),
                        good.replace("2026-01-31", "2026-13-31"),
                        good.replace(TIME, ""),
                        good + "x".repeat(TraceLines.MAX_LINE_BYTES)));
        TraceScan scan = TraceScan.of(new AuditLog(List.of(file)), true);
        assertThat(scan.records()).isOne();
        assertThat(scan.lines()).isEqualTo(13);
        assertThat(scan.leftOut())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        AuditLine.NO_RECORD,
                        2L,
                        AuditLine.REFUSED,
                        1L,
                        "command setTimes",
                        2L,
                        AuditLine.TRUNCATED,
                        3L,
                        AuditLine.BAD_PATH,
                        1L,
                        AuditLine.NO_TIME,
                        2L,
                        "too long",
                        1L));
        assertThat(scan.describe()).contains("1 operations", "13 lines", "2 command setTimes", "3 truncated");
    }

    @Test
    void shouldReadRotationsInTheOrderOfTheirTimesWithTheMixKept() throws Exception {
        GeneratedTrace generated = new GeneratedTrace(3, 500);
        generated.writeAudit(folder.resolve("hdfs-audit.log.10"), 4_000);
        generated.writeAudit(folder.resolve("hdfs-audit.log.9.gz"), 4_000);
        generated.writeAudit(folder.resolve("hdfs-audit.log"), 4_000);
        Files.writeString(
                folder.resolve("hdfs-audit.log"),
                "2026-01-01 00:00:00,000 INFO FSNamesystem.aud",
                StandardOpenOption.APPEND);
        Files.writeString(folder.resolve("README"), "Not a log.");
        Files.write(folder.resolve("broken.gz"), new byte[] {0x1f, (byte) 0x8b, 8});
        AuditLog log = new AuditLog(List.of(folder));
        assertThat(log.files())
                .extracting(file -> file.getFileName().toString())
                .containsExactly("hdfs-audit.log.10", "hdfs-audit.log.9.gz", "hdfs-audit.log");
        TraceScan scan = TraceScan.of(log, true);
        assertThat(scan.counts()).isEqualTo(generated.counts());
        assertThat(scan.seconds()).isEqualTo(11_999 / 500.0);
        assertThat(scan.leftOut()).isEqualTo(Map.of(AuditLine.NO_RECORD, 1L));
        TraceScan.Offered offered = scan.offered();
        assertThat(offered.until(0)).isZero();
        assertThat(offered.until(10.5e9)).isEqualTo(5_250);
        assertThat(offered.until(1e12)).isEqualTo(12_000);
    }

    @Test
    void shouldGoOnBehindACompressedFileThatBreaksOff() throws Exception {
        GeneratedTrace generated = new GeneratedTrace(3, 500);
        Path first = folder.resolve("a.gz");
        generated.writeAudit(first, 5_000);
        byte[] whole = Files.readAllBytes(first);
        Files.write(first, Arrays.copyOf(whole, whole.length / 2));
        Path second = folder.resolve("b");
        generated.writeAudit(second, 100);
        TraceScan scan = TraceScan.of(new AuditLog(List.of(second, first)), false);
        assertThat(scan.records()).isBetween(1_000L, 4_000L);
        assertThat(scan.leftOut()).containsEntry("a compressed file that breaks off", 1L);
        assertThat(scan.seconds()).isEqualTo(5_099 / 500.0);
    }

    @Test
    void shouldKeepTimesFromGoingBack() throws Exception {
        String good = line("allowed=true | ugi=al | ip=/1 | cmd=open | src=/a | dst=null | perm=null");
        Path file = Files.write(folder.resolve("audit"), List.of(good, good.replace(",999", ",990")));
        assertThat(read(new AuditLog(List.of(file))))
                .extracting(TraceRecord::nanos)
                .containsExactly(1_769_903_999_999_000_000L, 1_769_903_999_999_000_000L);
    }

    @Test
    void shouldRefusePlacesWithoutARecord() throws Exception {
        Files.writeString(folder.resolve("README"), "Not a log.");
        assertThatThrownBy(() -> new AuditLog(List.of(folder)))
                .hasMessageContaining(folder.toString())
                .hasMessageContaining("HDFS audit log");
        assertThatThrownBy(() -> new AuditLog(List.of(folder.resolve("none")))).hasMessageContaining("cannot be read");
    }
}
