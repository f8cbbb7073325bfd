import java.util.Arrays;
import java.util.Random;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** A batch job of Flink that writes lines, one directory a shop, and one that adds them up. Argument: a directory of λFS. */
public final class FlinkFiles {
    private static final long ROWS = 100_000;
    private static final int SHOPS = 7;

    private FlinkFiles() {}

    public static void main(String[] arguments) throws Exception {
        String root = arguments[0];
        TableEnvironment tables = TableEnvironment.create(EnvironmentSettings.inBatchMode());
        tables.getConfig().set("parallelism.default", "2");
        tables.executeSql("CREATE TABLE numbers (id BIGINT) WITH ('connector' = 'datagen', 'number-of-rows' = '" + ROWS
                + "', 'fields.id.kind' = 'sequence', 'fields.id.start' = '0', 'fields.id.end' = '" + (ROWS - 1) + "')");
        tables.executeSql("CREATE TABLE sales (id STRING, shop BIGINT) PARTITIONED BY (shop) WITH ('connector' = 'filesystem', "
                + "'format' = 'raw', 'path' = '" + root + "')");
        String sales = "SELECT CAST(id AS STRING), MOD(id, " + SHOPS + ") FROM numbers";
        tables.executeSql("INSERT INTO sales " + sales).await();
        expect(tables, ROWS, ROWS * (ROWS - 1) / 2);
        tables.executeSql("INSERT OVERWRITE sales " + sales + " WHERE id < " + SHOPS).await();
        expect(tables, SHOPS, SHOPS * (SHOPS - 1) / 2);

        Path directory = new Path(root);
        FileSystem fs = directory.getFileSystem();
        int shops = 0;
        for (FileStatus each : fs.listStatus(directory)) {
            if (!each.isDir() || !each.getPath().getName().startsWith("shop=")) {
                throw new IllegalStateException("left over: " + each.getPath());
            }
            shops++;
        }
        if (shops != SHOPS) {
            throw new IllegalStateException(shops + " directories, not " + SHOPS);
        }
        checkpoint(fs, new Path(directory, "state"));
    }

    /** As Flink writes its checkpoints; its recoverable writers, which streaming sinks need, take no scheme that they do not know. */
    private static void checkpoint(FileSystem fs, Path file) throws Exception {
        byte[] state = new byte[1 << 20];
        new Random(7).nextBytes(state);
        try (FSDataOutputStream out = fs.create(file, FileSystem.WriteMode.NO_OVERWRITE)) {
            out.write(state);
            out.sync();
        }
        try (FSDataInputStream in = fs.open(file)) {
            in.seek(1 << 19);
            if (!Arrays.equals(in.readAllBytes(), Arrays.copyOfRange(state, 1 << 19, state.length))) {
                throw new IllegalStateException("what was read is not what was written");
            }
        }
        try {
            fs.createRecoverableWriter();
            throw new IllegalStateException("there are recoverable writers by now: test them here");
        } catch (UnsupportedOperationException named) {
            System.err.println(named.getMessage());
        }
    }

    private static void expect(TableEnvironment tables, long rows, long sum) throws Exception {
        try (CloseableIterator<Row> found = tables.executeSql("SELECT COUNT(*), SUM(CAST(id AS BIGINT)) FROM sales").collect()) {
            Row row = found.next();
            if (!row.equals(Row.of(rows, sum))) {
                throw new IllegalStateException("the table has " + row + ", not " + Row.of(rows, sum));
            }
        }
    }
}
