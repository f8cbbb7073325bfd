package io.lambdafs.examples;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.sum;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A Spark job that writes sales as Parquet, partitioned by day, adds them up by shop, and writes the sums; then each
 * sum is checked.
 */
@Command(
        name = "spark",
        mixinStandardHelpOptions = true,
        description = "Write sales as Parquet, sum them by shop with Spark, write the sums, and verify each.")
final class SparkExample extends Job {
    private static final int SHOPS = 97;
    private static final int DAYS = 4;
    private static final long PRICES = 10_007;
    /** The approximate size of a sale as Parquet, written once and read once. */
    private static final long BYTES_PER_ROW = 8;

    @Option(
            names = "--rows",
            paramLabel = "N",
            defaultValue = "2000000",
            description = "Number of sales (default 2,000,000, some 10 MB).")
    private long rows;

    @Override
    void run(FileSystem fs, Configuration conf) throws Exception {
        Path root = new Path(fs.getUri() + "/spark");
        fs.delete(root, true);
        SparkSession.Builder builder = SparkSession.builder()
                .appName("lambdafs example spark")
                .master("local[*]")
                .config("spark.ui.enabled", false)
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.sql.shuffle.partitions", 4)
                .config("spark.local.dir", conf.get("hadoop.tmp.dir"))
                .config("spark.sql.warehouse.dir", root + "/warehouse");
        for (String key : List.of(FileSystem.FS_DEFAULT_NAME_KEY, "lambdafs.dir", "dfs.blocksize")) {
            builder.config("spark.hadoop." + key, conf.get(key));
        }
        try (SparkSession spark = builder.getOrCreate()) {
            step(
                    "write",
                    () -> sales(spark)
                            .write()
                            .partitionBy("day")
                            .mode(SaveMode.ErrorIfExists)
                            .parquet(root + "/sales"));
            step(
                    "add up",
                    () -> spark.read()
                            .parquet(root + "/sales")
                            .groupBy("shop")
                            .agg(sum("cents").as("cents"), count("sale").as("sales"))
                            .write()
                            .parquet(root + "/by-shop"));
            verify(spark.read().parquet(root + "/by-shop").orderBy(col("shop")).collectAsList());
        }
        for (String table : List.of("sales", "by-shop")) {
            if (!fs.exists(new Path(root, table + "/_SUCCESS"))) {
                throw new IOException("the job has not committed " + table);
            }
        }
        System.out.printf("%,d sales in %d shops: all sums are right%n", rows, SHOPS);
    }

    private Dataset<Row> sales(SparkSession spark) {
        return spark.range(rows)
                .selectExpr(
                        "id as sale",
                        "id % " + SHOPS + " as shop",
                        "id % " + PRICES + " as cents",
                        "id % " + DAYS + " as day");
    }

    private void step(String name, Runnable step) {
        try (Progress progress = new Progress(name, rows * BYTES_PER_ROW, "lambdafs")) {
            step.run();
            progress.done();
        }
    }

    private void verify(List<Row> found) throws IOException {
        long[] cents = new long[SHOPS];
        long[] sales = new long[SHOPS];
        for (long sale = 0; sale < rows; sale++) {
            cents[(int) (sale % SHOPS)] += sale % PRICES;
            sales[(int) (sale % SHOPS)]++;
        }
        if (found.size() != Math.min(SHOPS, rows)) {
            throw new IOException(found.size() + " shops are there, of " + SHOPS);
        }
        for (Row row : found) {
            int shop = (int) row.<Long>getAs("shop").longValue();
            if (row.<Long>getAs("cents") != cents[shop] || row.<Long>getAs("sales") != sales[shop]) {
                throw new IOException("shop " + shop + " has " + row.getAs("cents") + " cents of " + row.getAs("sales")
                        + " sales, and should have " + cents[shop] + " of " + sales[shop]);
            }
        }
    }
}
