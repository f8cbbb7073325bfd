import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.spark.sql.SparkSession;

/**
 * Tables of Spark on λFS: {@code parquet} writes one and adds it up, {@code delta} makes a Delta table, {@code append} adds to it from two threads,
 * as other processes do, and {@code check} says whether every commit is there. Arguments: what to do, a directory of λFS, a directory for local files,
 * and of {@code check} the number of processes that appended.
 */
public final class SparkTables {
    private static final int ROWS = 100_000;
    private static final int SHOPS = 7;
    private static final int THREADS = 2;
    private static final int COMMITS = 3;
    private static final int ROWS_OF_A_COMMIT = 10;

    private SparkTables() {}

    public static void main(String[] arguments) throws Exception {
        String root = arguments[1];
        try (SparkSession spark = SparkSession.builder()
                .appName("lambdafs compat")
                .master("local[2]")
                .config("spark.ui.enabled", false)
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.sql.shuffle.partitions", 2)
                .config("spark.databricks.delta.snapshotPartitions", 2)
                .config("spark.local.dir", arguments[2])
                .config("spark.sql.warehouse.dir", root + "/warehouse")
                .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
                .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
                .getOrCreate()) {
            String table = "delta.`" + root + "/delta`";
            switch (arguments[0]) {
                case "parquet" -> parquet(spark, root + "/parquet");
                case "delta" -> spark.sql("CREATE TABLE " + table + " (id BIGINT, writer STRING) USING delta");
                case "append" -> append(spark, table);
                case "check" -> check(spark, table, Integer.parseInt(arguments[3]));
                default -> throw new IllegalArgumentException(arguments[0]);
            }
        }
    }

    private static void parquet(SparkSession spark, String path) {
        spark.range(ROWS).selectExpr("id", "id % " + SHOPS + " AS shop").write().partitionBy("shop").parquet(path);
        String all = "parquet.`" + path + "`";
        expect(spark, "SELECT count(*) FROM " + all, ROWS);
        expect(spark, "SELECT sum(id) FROM " + all, ROWS * (ROWS - 1L) / 2);
        expect(spark, "SELECT count(DISTINCT shop) FROM " + all, SHOPS);
        spark.range(ROWS).selectExpr("id", "0L AS shop").write().mode("overwrite").partitionBy("shop").parquet(path);
        expect(spark, "SELECT count(DISTINCT shop) FROM " + all, 1);
    }

    private static void append(SparkSession spark, String table) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<?>> ends = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            String writer = ProcessHandle.current().pid() + "-" + i;
            ends.add(threads.submit(() -> {
                for (int commit = 0; commit < COMMITS; commit++) {
                    spark.sql("INSERT INTO " + table + " SELECT id, '" + writer + "' FROM range(" + ROWS_OF_A_COMMIT + ")");
                }
            }));
        }
        threads.shutdown();
        for (Future<?> end : ends) {
            end.get();
        }
    }

    private static void check(SparkSession spark, String table, int processes) {
        long commits = (long) processes * THREADS * COMMITS;
        long rows = commits * ROWS_OF_A_COMMIT;
        expect(spark, "SELECT count(*) FROM " + table, rows);
        expect(spark, "SELECT count(DISTINCT writer) FROM " + table, (long) processes * THREADS);
        long versions = spark.sql("DESCRIBE HISTORY " + table).count();
        if (versions != commits + 1) {
            throw new IllegalStateException(versions + " versions of the table, not " + (commits + 1));
        }
        spark.sql("DELETE FROM " + table + " WHERE id = 0");
        expect(spark, "SELECT count(*) FROM " + table, rows - commits);
        expect(spark, "SELECT count(*) FROM " + table + " VERSION AS OF " + commits, rows);
    }

    private static void expect(SparkSession spark, String query, long wanted) {
        long found = spark.sql(query).first().getLong(0);
        if (found != wanted) {
            throw new IllegalStateException(query + " says " + found + ", not " + wanted);
        }
    }
}
