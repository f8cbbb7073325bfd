package io.lambdafs.hammer.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.hammer.workload.OperationKind;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CsvTraceTest {
    private static final String HEADER = "time,client,op,path,path2,size\n";

    @TempDir
    private Path folder;

    private Path file(byte[] bytes) throws Exception {
        return Files.write(folder.resolve("trace.csv"), bytes);
    }

    private static byte[] gzip(String text) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private static List<TraceRecord> read(Trace trace) throws Exception {
        List<TraceRecord> records = new ArrayList<>();
        try (TraceReader reader = trace.open()) {
            for (TraceRecord record = reader.next(); record != null; record = reader.next()) {
                records.add(record);
            }
        }
        return records;
    }

    @Test
    void shouldReadRecordsPlainAndCompressed() throws Exception {
        String text = "\ufeff" + HEADER
                + "1700000000.000001,c1,create,\"/a b/\"\"c\"\", d\",,4096\r\n"
                + "1700000000.25,c2,mv,\"/a b/\"\"c\"\", d\",/é,\n"
                + "1700000000.25,c2,stat,/é,,";
        List<TraceRecord> expected = List.of(
                new TraceRecord(
                        1_700_000_000_000_001_000L,
                        "c1",
                        OperationKind.CREATE,
                        FsPath.of("/a b/\"c\", d"),
                        null,
                        4096,
                        false),
                new TraceRecord(
                        1_700_000_000_250_000_000L,
                        "c2",
                        OperationKind.MV,
                        FsPath.of("/a b/\"c\", d"),
                        FsPath.of("/é"),
                        0,
                        false),
                new TraceRecord(1_700_000_000_250_000_000L, "c2", OperationKind.STAT, FsPath.of("/é"), null, 0, false));
        assertThat(read(new CsvTrace(file(text.getBytes(StandardCharsets.UTF_8)))))
                .isEqualTo(expected);
        assertThat(read(new CsvTrace(file(gzip(text))))).isEqualTo(expected);
    }

    @Test
    void shouldTakeColumnsInAnyOrderWithoutThoseThatAreOptional() throws Exception {
        Path file = file("path,op,client,time\n/x,ls,me,0.5\n".getBytes(StandardCharsets.UTF_8));
        assertThat(read(new CsvTrace(file)))
                .containsExactly(new TraceRecord(500_000_000, "me", OperationKind.LS, FsPath.of("/x"), null, 0, false));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "soon,c,stat,/a,,        | time is a number of seconds, not \"soon\"",
                "-1,c,stat,/a,,          | time is 0..9000000000 seconds",
                "0.5,c,stat,/a,,         | time 0.5 is before that of the line above",
                "1,c,stta,/a,,           | there is no operation \"stta\"; did you mean \"stat\"?",
                "1,c,stat,a/b,,          | a/b",
                "1,c,stat,/a,/b,         | stat has no path2",
                "1,c,mv,/a,,             | mv needs path2",
                "1,c,create,/a,,many     | size is a number of bytes, not \"many\"",
                "1,c,create,/a,,-1       | size is a number of bytes",
                "1,c,stat,/a             | 4 fields instead of 6",
                "1,c,stat,\"/a,,         | a quoted field has no end"
            })
    void shouldNameFileAndLineOfABadLineBeforeAnythingElse(String line, String why) throws Exception {
        Path file = file(
                (HEADER + "1,c,stat,/a,,\n" + line.strip() + "\n1,c,stat,/a,,\n").getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> TraceScan.of(new CsvTrace(file), true))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
                .hasMessageContaining(file + ":3: ")
                .hasMessageContaining(why.strip());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "time,client,op              | the column \"path\" is missing",
                "time,client,op,path,user    | there is no column \"user\"",
                "time,client,op,path,path    | the column \"path\" is there twice"
            })
    void shouldNameABadColumn(String header, String why) throws Exception {
        Path file = file((header.strip() + "\n").getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> TraceScan.of(new CsvTrace(file), true))
                .hasMessageContaining(file + ":1: ")
                .hasMessageContaining(why.strip());
    }

    @Test
    void shouldRefuseTracesWithoutARecordAndCompressedOnesWithoutTheirEnd() throws Exception {
        assertThatThrownBy(() -> TraceScan.of(new CsvTrace(file(new byte[0])), false))
                .hasMessageContaining("it is empty");
        assertThatThrownBy(() -> TraceScan.of(new CsvTrace(file(HEADER.getBytes(StandardCharsets.UTF_8))), false))
                .hasMessageContaining("has no record");
        byte[] whole = gzip(HEADER + "1,c,stat,/a,,\n".repeat(1_000));
        Path file = file(Arrays.copyOf(whole, whole.length - 8));
        assertThatThrownBy(() -> TraceScan.of(new CsvTrace(file), false))
                .hasMessageContaining(file.toString())
                .hasMessageContaining("breaks off");
        assertThatThrownBy(() -> new CsvTrace(folder)).hasMessageContaining("is not a file that can be read");
    }

    @Test
    void shouldBoundALineThatNeverEnds() throws Exception {
        Path file = file(
                (HEADER + "1,c,stat,/" + "x".repeat(3 * TraceLines.MAX_LINE_BYTES)).getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> TraceScan.of(new CsvTrace(file), false)).hasMessageContaining(":2: longer than");
    }
}
