package io.lambdafs.examples;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.avro.Avro;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.avro.DataWriter;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.FileAppender;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.types.Types;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * An Iceberg table with many concurrent writers. Only the file system's rename orders their commits: Iceberg's own lock
 * is switched off.
 */
@Command(
        name = "iceberg",
        mixinStandardHelpOptions = true,
        description = "Commit to one Iceberg table from many writers, then verify every row of every commit.")
final class IcebergExample extends Job {
    private static final int ROWS = 10;
    private static final Schema SCHEMA = new Schema(
            Types.NestedField.required(1, "writer", Types.IntegerType.get()),
            Types.NestedField.required(2, "row", Types.LongType.get()));

    @Option(
            names = "--writers",
            paramLabel = "N",
            defaultValue = "20",
            description = "Concurrent writers (default 20).")
    private int writers;

    @Option(
            names = "--commits",
            paramLabel = "N",
            defaultValue = "25",
            description = "Commits per writer, each with a file of 10 rows (default 25).")
    private int commits;

    @Override
    void run(FileSystem fs, Configuration conf) throws Exception {
        Path root = new Path(fs.getUri().toString() + "/iceberg/table");
        fs.delete(root, true);
        conf.set("iceberg.tables.hadoop.lock-impl", NoLock.class.getName());
        HadoopTables tables = new HadoopTables(conf);
        Map<String, String> properties = new HashMap<>();
        properties.put(TableProperties.COMMIT_NUM_RETRIES, "100000");
        properties.put(TableProperties.COMMIT_MIN_RETRY_WAIT_MS, "5");
        properties.put(TableProperties.COMMIT_MAX_RETRY_WAIT_MS, "500");
        tables.create(SCHEMA, PartitionSpec.unpartitioned(), properties, root.toString());
        AtomicInteger committed = new AtomicInteger();
        int all = writers * commits;
        ExecutorService pool = Executors.newFixedThreadPool(writers);
        try (Progress progress = new Progress("Iceberg", all, committed::get, "commits")) {
            List<Future<?>> running = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                int number = writer;
                running.add(pool.submit(() -> {
                    write(tables.load(root.toString()), number, committed);
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
            progress.done();
        } finally {
            pool.shutdownNow();
        }
        verify(fs, tables.load(root.toString()), all);
        System.out.println(writers + " writers × " + commits + " commits: all " + all * ROWS + " rows are there");
    }

    private void write(Table table, int writer, AtomicInteger committed) throws IOException {
        for (int commit = 0; commit < commits; commit++) {
            OutputFile file = table.io().newOutputFile(table.location() + "/data/" + writer + "-" + commit + ".avro");
            FileAppender<Record> appender = Avro.write(file)
                    .schema(SCHEMA)
                    .createWriterFunc(DataWriter::create)
                    .build();
            try (appender) {
                for (int row = 0; row < ROWS; row++) {
                    Record record = org.apache.iceberg.data.GenericRecord.create(SCHEMA);
                    record.setField("writer", writer);
                    record.setField("row", (long) commit * ROWS + row);
                    appender.add(record);
                }
            }
            DataFile data = DataFiles.builder(table.spec())
                    .withInputFile(file.toInputFile())
                    .withFormat(FileFormat.AVRO)
                    .withRecordCount(ROWS)
                    .build();
            table.newAppend().appendFile(data).commit();
            committed.incrementAndGet();
        }
    }

    /** Reads every file that the table names. */
    private void verify(FileSystem fs, Table table, int all) throws IOException {
        Set<String> rows = new HashSet<>();
        try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
            for (FileScanTask task : tasks) {
                Path file = new Path(task.file().location());
                try (DataFileStream<GenericRecord> in =
                        new DataFileStream<>(fs.open(file), new GenericDatumReader<GenericRecord>())) {
                    for (GenericRecord record : in) {
                        if (!rows.add(record.get("writer") + "/" + record.get("row"))) {
                            throw new IOException("a row is there twice: " + record);
                        }
                    }
                }
            }
        }
        int snapshots = 0;
        for (var unused : table.snapshots()) {
            snapshots++;
        }
        if (rows.size() != all * ROWS || snapshots != all) {
            throw new IOException(rows.size() + " rows of " + snapshots + " commits are there, of " + all * ROWS
                    + " rows of " + all + " commits");
        }
    }
}
