package io.lambdafs.benchmarks.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.hammer.trace.TraceReader;
import io.lambdafs.hammer.trace.TraceRecord;
import io.lambdafs.hammer.workload.OperationKind;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ParquetTraceTest {
    private static final String STAMPED = """
            message trace {
              required int64 time (TIMESTAMP(MICROS,true));
              required binary client (STRING);
              required binary op (STRING);
              required binary path (STRING);
              optional binary path2 (STRING);
              optional int64 size;
            }""";

    @TempDir
    private Path folder;

    private Path write(String type, int rows, BiConsumer<Integer, Group> fill) throws Exception {
        MessageType schema = MessageTypeParser.parseMessageType(type);
        Path file = folder.resolve("trace.parquet");
        Files.deleteIfExists(file);
        SimpleGroupFactory groups = new SimpleGroupFactory(schema);
        try (ParquetWriter<Group> out = ExampleParquetWriter.builder(new LocalOutputFile(file))
                .withType(schema)
                .withRowGroupSize(64L << 10)
                .withCompressionCodec(CompressionCodecName.GZIP)
                .build()) {
            for (int i = 0; i < rows; i++) {
                Group group = groups.newGroup();
                fill.accept(i, group);
                out.write(group);
            }
        }
        return file;
    }

    private static List<TraceRecord> read(Path file) throws Exception {
        List<TraceRecord> records = new ArrayList<>();
        try (TraceReader reader = new ParquetTrace(file).open()) {
            for (TraceRecord record = reader.next(); record != null; record = reader.next()) {
                records.add(record);
            }
        }
        return records;
    }

    private static void stat(long micros, int i, Group row) {
        row.append("time", micros)
                .append("client", "c" + i % 7)
                .append("op", "stat")
                .append("path", "/a/f" + i);
    }

    @Test
    void shouldReadEveryRowOfEveryRowGroup() throws Exception {
        Path file = write(STAMPED, 20_000, (i, row) -> {
            if (i == 1) {
                row.append("time", 1_700_000_000_000_002L)
                        .append("client", "é")
                        .append("op", "mv")
                        .append("path", "/a/f0")
                        .append("path2", "/b, c");
            } else if (i == 2) {
                row.append("time", 1_700_000_000_000_002L)
                        .append("client", "c")
                        .append("op", "create")
                        .append("path", "/a/f2")
                        .append("size", 4_096L);
            } else {
                stat(1_700_000_000_000_000L + i, i, row);
            }
        });
        assertThat(ParquetTrace.isOne(file)).isTrue();
        List<TraceRecord> records = read(file);
        assertThat(records).hasSize(20_000);
        long second = 1_700_000_000_000_002_000L;
        assertThat(records.get(1))
                .isEqualTo(new TraceRecord(
                        second, "é", OperationKind.MV, FsPath.of("/a/f0"), FsPath.of("/b, c"), 0, false));
        assertThat(records.get(2))
                .isEqualTo(new TraceRecord(second, "c", OperationKind.CREATE, FsPath.of("/a/f2"), null, 4_096, false));
        assertThat(records.get(19_999).path()).isEqualTo(FsPath.of("/a/f19999"));
    }

    @Test
    void shouldTakeSecondsAsANumberToo() throws Exception {
        Path file = write(
                STAMPED.replace("int64 time (TIMESTAMP(MICROS,true))", "double time"),
                2,
                (i, row) -> row.append("time", i + 0.25)
                        .append("client", "c")
                        .append("op", "ls")
                        .append("path", "/a"));
        assertThat(read(file)).extracting(TraceRecord::nanos).containsExactly(250_000_000L, 1_250_000_000L);
    }

    @Test
    void shouldNameTheRowThatIsWrong() throws Exception {
        Path file = write(STAMPED, 3, (i, row) -> stat(10 - 5L * (i / 2), i, row));
        assertThatThrownBy(() -> read(file))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("trace.parquet, row 3: time 0.000005 is before");
        Path other = write(STAMPED.replace("op ", "what "), 0, (i, row) -> {});
        assertThatThrownBy(() -> read(other)).hasMessageContaining("there is no column \"what\"");
    }

    @Test
    void shouldRefuseAFileThatBreaksOff() throws Exception {
        Path file = write(STAMPED, 1_000, (i, row) -> stat(i, i, row));
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length / 2));
        assertThatThrownBy(() -> read(file)).isInstanceOf(FsException.class).hasMessageContaining("no whole Parquet");
        assertThat(ParquetTrace.isOne(Files.writeString(folder.resolve("csv"), "time,client\n")))
                .isFalse();
    }
}
