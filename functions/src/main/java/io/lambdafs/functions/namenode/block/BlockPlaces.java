package io.lambdafs.functions.namenode.block;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.inode.StoragePolicies;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.block.BlockToken;
import io.lambdafs.rpc.block.BlockTokens;
import io.lambdafs.rpc.objects.ObjectSigner;
import io.lambdafs.store.block.Datanode;
import io.lambdafs.store.block.LiveDatanodes;
import io.lambdafs.store.block.StoredBlock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** Places blocks: chooses datanodes and stores for writing and reading, and issues the tokens. Thread-safe. */
public final class BlockPlaces {
    /** How long after placement a client may start to write or read a block. */
    public static final Duration TOKEN_LIFE = Duration.ofMinutes(10);
    /** Maximum number of datanodes named per block: one to use, and alternatives. */
    private static final int MOST = 3;

    private final LiveDatanodes datanodes;
    private final DirectStores direct;
    private final BlockTokens tokens;
    private final Scheduler scheduler;

    public BlockPlaces(LiveDatanodes datanodes, DirectStores direct, BlockTokens tokens, Scheduler scheduler) {
        this.datanodes = datanodes;
        this.direct = direct;
        this.tokens = tokens;
        this.scheduler = scheduler;
    }

    /** A block store and the datanodes that write to it; none if clients write directly. */
    public record Target(String store, List<DatanodeAddress> datanodes) {}

    /**
     * Returns the datanodes that accept a block; fails with {@code NEEDS_DATANODE} if none is alive and clients cannot
     * write directly.
     */
    public CompletionStage<List<Datanode>> writers(FsPath path, int smallFileLimit) {
        return datanodes.live().thenApply(all -> {
            List<Datanode> serving = all.stream()
                    .filter(each -> each.state() == Datanode.State.SERVING)
                    .toList();
            if (serving.isEmpty() && direct.names().isEmpty()) {
                throw noDatanode(path, smallFileLimit);
            }
            return serving;
        });
    }

    /**
     * Chooses the block store for a file's next block: the one named by its policy; if that is not writable, an unnamed
     * one; failing that, any.
     *
     * @param writers at least one, unless clients write to a store directly
     * @param direct the stores that clients write to directly
     * @param policy empty for none
     * @param blockId determines the order of the store's datanodes, the same as for its readers
     */
    public static Target choose(List<Datanode> writers, Set<String> direct, String policy, long blockId) {
        List<String> stores = Stream.concat(
                        direct.stream().sorted(), writers.stream().map(Datanode::store))
                .toList();
        String named = StoragePolicies.store(policy.isEmpty() ? StoragePolicies.DEFAULT : policy);
        String store = stores.contains(named)
                ? named
                : stores.stream()
                        .filter(each -> !StoragePolicies.isNamed(each))
                        .findFirst()
                        .orElse(stores.get(0));
        return new Target(store, direct.contains(store) ? List.of() : serving(writers, store, blockId));
    }

    /** Chooses among these datanodes' stores and the stores that clients access directly. */
    public Target choose(List<Datanode> writers, String policy, long blockId) {
        return choose(writers, direct.names(), policy, blockId);
    }

    /** Returns the maximum size of a block in a store. */
    public long mostBytes(String store, long wanted) {
        return direct.has(store) ? Math.min(wanted, ObjectSigner.MOST_BYTES) : wanted;
    }

    /**
     * Returns the names of the block stores that a policy can choose and that a datanode serves now or clients access
     * directly.
     */
    public CompletionStage<List<String>> namedStores() {
        return stores().thenApply(all -> all.stream()
                .filter(StoragePolicies::isNamed)
                .map(StoragePolicies::nameOf)
                .sorted()
                .toList());
    }

    /** Returns the sorted names of the block stores that a datanode serves now or clients access directly. */
    CompletionStage<List<String>> stores() {
        return datanodes
                .live()
                .thenApply(all -> Stream.concat(
                                direct.names().stream(), all.stream().map(Datanode::store))
                        .distinct()
                        .sorted()
                        .toList());
    }

    private static FsException noDatanode(FsPath path, int limit) {
        return new FsException(
                ErrorCode.NEEDS_DATANODE,
                "\"" + path + "\" is longer than " + limit
                        + " bytes and needs a datanode, and none is alive: start one (lambdafs cluster start --datanodes 1)");
    }

    /** Returns an allocated block with permission for a user to write it. */
    public LocatedBlock toWrite(StoredBlock allocated, String user, long offset, Target target) {
        if (direct.has(target.store())) {
            return new LocatedBlock(
                    allocated.block(), offset, allocated.store(), allocated.key(), direct.toWrite(allocated));
        }
        return new LocatedBlock(
                allocated.block(),
                offset,
                allocated.store(),
                allocated.key(),
                target.datanodes(),
                tokens.mint(BlockToken.toWrite(
                        allocated.block(), user, allocated.store(), allocated.key(), expiryMillis())));
    }

    /**
     * Checks a datanode's receipt of what its writer says of a block. Of a store that clients write to directly there is
     * none (FILES: F26).
     */
    public void checkReceipt(StoredBlock allocated, Block told, byte[] receipt) {
        if (direct.has(allocated.store()) || tokens.isReceipt(receipt, told, allocated.store(), allocated.key())) {
            return;
        }
        throw FsException.invalidArgument(told.label() + " of " + told.length() + " bytes comes "
                + (receipt.length == 0
                        ? "without its datanode's receipt: replace clients and datanodes of earlier builds"
                        : "with a receipt that is none of a datanode for just that"));
    }

    /** Returns consecutive blocks of a file with permission to read them. */
    CompletionStage<List<LocatedBlock>> toRead(List<StoredBlock> blocks, long offset) {
        return datanodes.live().thenApply(all -> {
            List<LocatedBlock> located = new ArrayList<>(blocks.size());
            long at = offset;
            for (StoredBlock each : blocks) {
                located.add(
                        direct.has(each.store())
                                ? new LocatedBlock(each.shownBlock(), at, each.store(), each.key(), direct.toRead(each))
                                : new LocatedBlock(
                                        each.shownBlock(),
                                        at,
                                        each.store(),
                                        each.key(),
                                        serving(all, each.store(), each.block().id()),
                                        tokens.mint(new BlockToken(
                                                BlockToken.Mode.READ,
                                                each.block(),
                                                each.store(),
                                                each.key(),
                                                expiryMillis()))));
                at += each.shown();
            }
            return located;
        });
    }

    /**
     * Returns the datanodes of a block store, draining ones last, in an order determined by the block: readers first
     * ask the one that wrote it or already read it, and so has it cached. Adding or removing one of n datanodes changes
     * the first choice of about one block in n.
     */
    static List<DatanodeAddress> serving(List<Datanode> all, String store, long blockId) {
        return all.stream()
                .filter(each -> each.store().equals(store))
                .sorted(Comparator.comparing(Datanode::state)
                        .thenComparingLong(
                                each -> mixed(blockId, each.address().id().hashCode())))
                .map(Datanode::address)
                .limit(MOST)
                .toList();
    }

    private static long mixed(long blockId, long datanode) {
        long mixed = (blockId * 0x9E3779B97F4A7C15L ^ datanode) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }

    private long expiryMillis() {
        return scheduler.currentTimeMillis() + TOKEN_LIFE.toMillis();
    }

    /** Returns when an object no longer needed may be deleted: by then no one can still write or read it. */
    public static long deletableMillis(long nowMillis) {
        // A write begun within the token's life may continue for as long again.
        return nowMillis + 2 * TOKEN_LIFE.toMillis();
    }
}
