package io.lambdafs.door.s3.files;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.LambdaFs;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.door.s3.auth.AccessKey;
import io.lambdafs.door.s3.wire.S3Code;
import io.lambdafs.door.s3.wire.S3Failure;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The clients of the users that a door acts for, one each, by the cluster's secret; at most {@value #MOST}. Thread-safe. */
public final class Accounts implements AutoCloseable {
    private static final int MOST = 1_000;

    private final Path cluster;
    private final Map<Account, BlockingLambdaFs> known = new HashMap<>();

    private record Account(String user, List<String> groups) {}

    /** @param cluster the directory with its {@code client.json} */
    public Accounts(Path cluster) {
        this.cluster = cluster;
    }

    public BlockingLambdaFs of(AccessKey key) {
        return of(key.user(), key.groups());
    }

    private synchronized BlockingLambdaFs of(String user, List<String> groups) {
        Account account = new Account(user, groups);
        BlockingLambdaFs found = known.get(account);
        if (found != null) {
            return found;
        }
        if (known.size() >= MOST) {
            throw new S3Failure(S3Code.SLOW_DOWN, "this door acts for " + MOST + " users already");
        }
        ClientConfigBuilder builder = ClientConfigBuilder.discover(cluster).user(user);
        BlockingLambdaFs made =
                new BlockingLambdaFs(LambdaFs.open((groups.isEmpty() ? builder : builder.groups(groups)).build()));
        known.put(account, made);
        return made;
    }

    /** Asks the cluster for something small, as the user of this process. */
    public CompletionStage<?> reach() {
        try {
            return of(System.getProperty("user.name", "root"), List.of())
                    .async()
                    .stat(FsPath.ROOT);
        } catch (FsException | S3Failure e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public synchronized void close() {
        known.values().forEach(BlockingLambdaFs::close);
        known.clear();
    }
}
