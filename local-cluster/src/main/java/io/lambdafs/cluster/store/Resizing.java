package io.lambdafs.cluster.store;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.rpc.Leeway;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.instance.Deployments;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the number of deployments of a serving file system (PROTOCOL: G4), on any platform: functions are registered
 * before they are called, and removed after the last instance with another number has left. Every step, and so the
 * whole, may be repeated; an interrupted change resumes. Stateless.
 */
public final class Resizing {
    private static final Logger LOG = LoggerFactory.getLogger(Resizing.class);
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration WAKE_AFTER = Duration.ofSeconds(3);
    private static final long LOOK_MILLIS = 100;

    private Resizing() {}

    /** Runs an idempotent action on the file system's store. */
    public interface Store {
        <T> T ask(String what, Function<MetadataStore, CompletionStage<T>> step);
    }

    /** The platform's part. Each method may be repeated. */
    public interface Platform {
        /** Registers the functions of deployments 0 to n - 1. */
        void register(int deployments);

        /** Publishes the placement for clients and instances that start from now on. */
        void publish(Placement placement);

        /** Makes an instance of deployment 0 run, which fences dead ones. */
        void wake();

        /** Removes the functions of deployments n and above. */
        void removeFrom(int deployments);
    }

    /** The placements before and after. */
    public record Result(Placement before, Placement after) {
        public boolean hasChanged() {
            return !before.equals(after);
        }
    }

    /**
     * Runs the change.
     *
     * @throws FsException {@code UNSUPPORTED} if the store's format level is too low; {@code INVALID_ARGUMENT} if it is
     *     not formatted, or the number is invalid; {@code TIMED_OUT} if the number is changed but old instances have
     *     not left yet
     */
    public static Result run(Store store, Platform platform, int deployments) {
        if (deployments < 1 || deployments > Placement.MAX_DEPLOYMENTS) {
            throw FsException.invalidArgument(
                    "a file system has 1 to " + Placement.MAX_DEPLOYMENTS + " deployments, not " + deployments);
        }
        Placement before = store.ask("read the number of deployments", Deployments::read)
                .orElseThrow(
                        () -> FsException.invalidArgument("the store holds no file system: start the cluster first"));
        platform.register(Math.max(before.deployments(), deployments));
        Placement after = store.ask("change the number of deployments", each -> Deployments.change(each, deployments));
        platform.publish(after);
        awaitLeaving(store, platform, after);
        platform.removeFrom(deployments);
        return new Result(before, after);
    }

    private static void awaitLeaving(Store store, Platform platform, Placement after) {
        long began = System.nanoTime();
        long wakeAt = began + WAKE_AFTER.toNanos();
        while (true) {
            List<Deployments.Earlier> left =
                    store.ask("list the instances of before", each -> Deployments.earlier(each, after));
            if (left.isEmpty()) {
                return;
            }
            long now = System.nanoTime();
            if (now - began > Leeway.of(LIMIT).toNanos()) {
                throw new FsException(
                        ErrorCode.TIMED_OUT,
                        "there are " + after.deployments() + " deployments now, and " + left.size()
                                + " instances of before have not left, such as that of epoch "
                                + left.get(0).epoch() + " of deployment "
                                + left.get(0).deployment() + ": try again, which goes on from here");
            }
            if (now - wakeAt > 0) {
                platform.wake();
                wakeAt = now + WAKE_AFTER.toNanos();
            }
            pause();
        }
    }

    /**
     * Reads the root's status, so that an instance joins and fences those that do not leave; failures are only logged.
     */
    public static void wake(ClientConfig client) {
        try (BlockingLambdaFs asking = BlockingLambdaFs.open(client)) {
            asking.stat(FsPath.ROOT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (FsException e) {
            LOG.info("No instance could be woken: {}", e.getMessage());
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FsException(
                    ErrorCode.INTERRUPTED, "interrupted while the number of deployments was changed: try again", e);
        }
    }
}
