package io.lambdafs.deploy.aws;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Runs a load on the paper's eight workers: machines in a stack of their own, which replay the load on a cluster, put
 * their reports into its bucket and end. The stack is always removed afterwards. Confined to one thread, which it
 * blocks.
 */
public final class Workers implements AutoCloseable {
    public static final int COUNT = 8;

    private static final String SETUP = "setup/bench/";
    private static final String REPORTS = "reports/";

    private final StackChoice cluster;
    private final Duration poll;
    private final SdkHttpClient http = UrlConnectionHttpClient.create();
    private final S3Client s3;

    /** @param cluster the cluster, whose stack must exist */
    public Workers(StackChoice cluster, Duration poll) {
        this.cluster = cluster;
        this.poll = poll;
        var builder = S3Client.builder().region(Region.of(cluster.region())).httpClient(http);
        URI endpoint = cluster.endpoint();
        if (endpoint != null) {
            builder.endpointOverride(endpoint).forcePathStyle(true);
        }
        this.s3 = builder.build();
    }

    /**
     * The parameters of a run.
     *
     * @param name of the run: lower-case letters, digits, hyphens
     * @param program the tarball made by {@code lambdafs dist}
     * @param directory the cluster's directory for clients: client.json and the files that it names
     * @param arguments of {@code lambdafs replay}; empty for those of the template
     * @param limit time limit of the whole run
     */
    public record Run(String name, Path program, Path directory, String arguments, Duration limit) {}

    /**
     * Runs the load and puts one report for each worker into a folder.
     *
     * @param outputs of the cluster's stack
     * @param progress takes a line at a time
     * @return how many workers ended with 0
     */
    public int run(Run run, Map<String, String> outputs, Path reports, Consumer<String> progress) {
        String bucket = output(outputs, "BlockBucket");
        StackChoice workers = new StackChoice(
                cluster.name() + "-bench",
                cluster.region(),
                cluster.endpoint(),
                parameters(run, outputs),
                cluster.tags());
        try (Stacks stacks = Stacks.open(workers)) {
            upload(run, bucket);
            progress.accept("starting " + COUNT + " workers");
            try {
                stacks.apply(workers, Template.shipped("bench"), false);
                await(run, bucket, progress);
            } finally {
                progress.accept("ending the workers");
                stacks.destroy(workers.name(), false);
            }
            return fetch(run, bucket, reports);
        } catch (SdkException failure) {
            throw AwsFaults.of(failure, "run the workers");
        } catch (IOException failure) {
            throw FsException.invalidArgument("cannot read or write " + failure.getMessage(), failure);
        } finally {
            list(bucket, SETUP + run.name() + "/")
                    .forEach(each ->
                            s3.deleteObject(asked -> asked.bucket(bucket).key(each.key())));
        }
    }

    private static Map<String, String> parameters(Run run, Map<String, String> outputs) {
        Map<String, String> all = new HashMap<>(Map.of(
                "Subnets", output(outputs, "PrivateSubnets"),
                "SecurityGroup", output(outputs, "FunctionSecurityGroup"),
                "Bucket", output(outputs, "BlockBucket"),
                "KeyArn", output(outputs, "KeyArn"),
                "Run", run.name()));
        if (!run.arguments().isEmpty()) {
            all.put("Arguments", run.arguments());
        }
        return all;
    }

    private static String output(Map<String, String> outputs, String key) {
        String value = outputs.get(key);
        if (value == null) {
            throw new FsException(
                    ErrorCode.UNSUPPORTED,
                    "the stack has no output " + key + ": make it anew with lambdafs aws create");
        }
        return value;
    }

    private void upload(Run run, String bucket) throws IOException {
        String prefix = SETUP + run.name() + "/";
        s3.putObject(
                asked -> asked.bucket(bucket).key(prefix + "lambdafs.tar.gz"), RequestBody.fromFile(run.program()));
        List<Path> files;
        try (Stream<Path> all = Files.list(run.directory())) {
            files = all.filter(Files::isRegularFile).sorted().toList();
        }
        for (Path file : files) {
            s3.putObject(
                    asked -> asked.bucket(bucket).key(prefix + "cluster/" + file.getFileName()),
                    RequestBody.fromFile(file));
        }
    }

    private void await(Run run, String bucket, Consumer<String> progress) {
        long deadline = System.nanoTime() + run.limit().toNanos();
        int before = -1;
        while (true) {
            int ended = 0;
            for (int i = 0; i < COUNT; i++) {
                ended += exit(run, bucket, i) == null ? 0 : 1;
            }
            if (ended != before) {
                progress.accept(ended + " of " + COUNT + " workers have ended");
                before = ended;
            }
            if (ended == COUNT) {
                return;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new FsException(
                        ErrorCode.DEADLINE_EXCEEDED,
                        (COUNT - ended) + " workers have not ended within "
                                + run.limit().toMinutes()
                                + " minutes; their machines are ended: look at the reports of the others, or give --limit");
            }
            try {
                TimeUnit.MILLISECONDS.sleep(poll.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new FsException(ErrorCode.INTERNAL, "interrupted; the workers are ended", e);
            }
        }
    }

    private static String prefix(Run run, int worker) {
        return REPORTS + run.name() + "/worker-" + worker + "/";
    }

    private @Nullable String exit(Run run, String bucket, int worker) {
        try {
            return s3.getObjectAsBytes(asked -> asked.bucket(bucket).key(prefix(run, worker) + "exit"))
                    .asUtf8String()
                    .strip();
        } catch (NoSuchKeyException notYet) {
            return null;
        }
    }

    private List<S3Object> list(String bucket, String prefix) {
        return new ArrayList<>(
                s3.listObjectsV2Paginator(asked -> asked.bucket(bucket).prefix(prefix)).contents().stream()
                        .toList());
    }

    private int fetch(Run run, String bucket, Path reports) throws IOException {
        int good = 0;
        for (int i = 0; i < COUNT; i++) {
            String prefix = prefix(run, i);
            Path folder = reports.resolve("worker-" + i).normalize();
            Files.createDirectories(folder);
            for (S3Object each : list(bucket, prefix)) {
                Path file =
                        folder.resolve(each.key().substring(prefix.length())).normalize();
                if (file.startsWith(folder)) {
                    Files.createDirectories(file.resolveSibling(""));
                    Files.write(
                            file,
                            s3.getObjectAsBytes(asked -> asked.bucket(bucket).key(each.key()))
                                    .asByteArray());
                }
            }
            good += "0".equals(exit(run, bucket, i)) ? 1 : 0;
        }
        return good;
    }

    @Override
    public void close() {
        s3.close();
        http.close();
    }
}
