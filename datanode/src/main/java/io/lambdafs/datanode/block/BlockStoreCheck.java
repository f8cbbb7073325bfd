package io.lambdafs.datanode.block;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.objects.ObjectClient;
import io.lambdafs.rpc.objects.ObjectSigner;
import io.lambdafs.rpc.objects.SignedRequest.Method;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tests at the start that a block store can be used, before a block is lost to it. Stateless. */
public final class BlockStoreCheck {
    /** The object that names the cluster that a block store belongs to. */
    public static final String MARKER = "lambdafs-cluster";

    private static final Logger LOG = LoggerFactory.getLogger(BlockStoreCheck.class);
    private static final String PROBES = "probe/";
    private static final int PROBE_BYTES = 4_096;
    private static final Duration PROBE_LIFE = Duration.ofMinutes(10);
    private static final int MOST_MARKER_BYTES = 256;

    private BlockStoreCheck() {}

    /**
     * Claims a store for a cluster if it has none yet, then writes, reads and deletes an object.
     *
     * @throws FsException {@code INVALID_ARGUMENT}: it is another cluster's; else as the store specifies, with the step
     *     that failed
     */
    public static void check(BlockStore store, String cluster) {
        claim(store, cluster);
        byte[] bytes = new byte[PROBE_BYTES];
        ThreadLocalRandom.current().nextBytes(bytes);
        String key =
                PROBES + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
        step(store, "written to", () -> put(store, key, bytes));
        step(store, "read", () -> {
            byte[] read = new byte[PROBE_BYTES];
            int count = store.read(key, 0, read, 0, PROBE_BYTES);
            if (count != PROBE_BYTES || !Arrays.equals(read, bytes)) {
                throw new FsException(ErrorCode.BLOCK_CORRUPT, key + " came back with other bytes");
            }
        });
        step(store, "deleted in", () -> {
            store.delete(key);
            if (store.length(key).isPresent()) {
                throw FsException.unavailable(key + " is still there");
            }
        });
    }

    /**
     * Writes, reads and deletes an object by signed URLs.
     *
     * @param place the store's, for messages
     * @throws FsException as the store specifies, with the step that failed
     */
    public static void checkDirect(String place, ObjectSigner signer, ObjectClient objects, long nowMillis) {
        byte[] bytes = new byte[PROBE_BYTES];
        ThreadLocalRandom.current().nextBytes(bytes);
        String key =
                PROBES + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
        ObjectClient.Content content = new ObjectClient.Content(PROBE_BYTES, () -> new ByteArrayInputStream(bytes));
        Conflicts.repeat(() ->
                await(objects.put(signer.sign(Method.PUT, key, nowMillis, PROBE_LIFE), Map.of(), content, place, key)));
        byte[] read =
                await(objects.get(signer.sign(Method.GET, key, nowMillis, PROBE_LIFE), 0, PROBE_BYTES, place, key));
        if (!Arrays.equals(read, bytes)) {
            throw new FsException(ErrorCode.BLOCK_CORRUPT, key + " in " + place + " came back with other bytes");
        }
        await(objects.delete(signer.sign(Method.DELETE, key, nowMillis, PROBE_LIFE), place, key));
    }

    private static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            throw FsException.of(e);
        }
    }

    /**
     * Checks that a store is a cluster's; changes nothing.
     *
     * @throws FsException {@code INVALID_ARGUMENT}: it is another cluster's, or no cluster's; else as the store
     *     specifies
     */
    public static void demandOwner(BlockStore store, String cluster) {
        refuse(store, cluster, owner(store));
    }

    private static void claim(BlockStore store, String cluster) {
        String owner = owner(store);
        if (owner.isEmpty()) {
            try {
                step(store, "written to", () -> put(store, MARKER, cluster.getBytes(StandardCharsets.UTF_8)));
                LOG.info("{} is taken for cluster {}", store.place(), cluster);
                return;
            } catch (FsException e) {
                if (e.code() != ErrorCode.ALREADY_EXISTS) {
                    throw e;
                }
            }
            owner = owner(store);
        }
        refuse(store, cluster, owner);
    }

    private static void refuse(BlockStore store, String cluster, String owner) {
        if (!owner.equals(cluster)) {
            throw FsException.invalidArgument("the block store in " + store.place() + " belongs to "
                    + (owner.isEmpty() ? "no cluster" : "the cluster " + owner) + ", this one is "
                    + cluster + ": name another bucket, prefix or directory with --blocks");
        }
    }

    /** Returns the owner; empty if there is none. */
    private static String owner(BlockStore store) {
        byte[] bytes = new byte[MOST_MARKER_BYTES];
        int[] count = new int[1];
        step(store, "read", () -> {
            try {
                count[0] = store.read(MARKER, 0, bytes, 0, bytes.length);
            } catch (FsException e) {
                if (e.code() != ErrorCode.BLOCK_MISSING) {
                    throw e;
                }
            }
        });
        return new String(bytes, 0, count[0], StandardCharsets.UTF_8).strip();
    }

    private static void put(BlockStore store, String key, byte[] content) {
        try (BlockStore.Upload upload = store.upload(key)) {
            upload.write(content, 0, content.length);
            upload.commit();
        }
    }

    private static void step(BlockStore store, String what, Runnable step) {
        try {
            step.run();
        } catch (FsException e) {
            throw new FsException(
                    e.code(), "the block store in " + store.place() + " cannot be " + what + ": " + e.getMessage(), e);
        }
    }
}
