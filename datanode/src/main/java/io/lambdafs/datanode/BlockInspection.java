package io.lambdafs.datanode;

import io.lambdafs.datanode.block.BlockSource;
import io.lambdafs.datanode.block.BlockStore;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.rpc.block.Seal;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.block.StoredBlock;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds written blocks whose objects are missing, or differ from the written bytes. Object keys begin with one of 256
 * buckets; it inspects as many buckets together as keep few rows in memory: it reads the rows, lists the objects, then
 * reads the rows again, because a block that was moved or deleted meanwhile has no fault. Changes nothing. Single use,
 * for one thread.
 */
public final class BlockInspection {
    /** The maximum number of rows held at once, unless one bucket has more. */
    static final int BATCH = 50_000;

    private static final int PAGE = 10_000;
    private static final int PIECE = 1 << 20;

    private final BlockStore store;
    private final String name;
    private final Rows rows;
    private final boolean deep;
    private final int batch;
    private final @Nullable BitSet wanted;
    private final List<Fault> faults = new ArrayList<>();
    private long blocks;
    private long bytes;

    private BlockInspection(
            BlockStore store, String name, Rows rows, boolean deep, int batch, @Nullable BitSet wanted) {
        this.store = store;
        this.name = name;
        this.rows = rows;
        this.deep = deep;
        this.batch = batch;
        this.wanted = wanted;
    }

    /**
     * Hands all rows, as of a moment after the call, to a reader, which may be called several times; only the last
     * result counts.
     */
    public interface Rows {
        <T> T read(Function<Iterable<Row>, T> reader);
    }

    /** A block that does not read back as written, and why. */
    public record Fault(StoredBlock block, String why) {}

    /** The result of an inspection, with its faults. */
    public record Report(long blocks, long bytes, List<Fault> faults) {
        public Report {
            faults = List.copyOf(faults);
        }

        /** Adds the report on another block store. */
        public Report plus(Report other) {
            List<Fault> all = new ArrayList<>(faults);
            all.addAll(other.faults);
            return new Report(blocks + other.blocks, bytes + other.bytes, all);
        }
    }

    /**
     * Inspects the blocks in a block store once.
     *
     * @param name of the store in the metadata
     * @param deep whether to read every byte, and compare its checksum
     * @throws FsException as the stores specify
     */
    public static Report run(BlockStore store, String name, Rows rows, boolean deep) {
        return run(store, name, rows, deep, BATCH);
    }

    static Report run(BlockStore store, String name, Rows rows, boolean deep, int batch) {
        return new BlockInspection(store, name, rows, deep, batch, null).inspect();
    }

    /** Inspects the blocks of some buckets, without reading their bytes. */
    static Report run(BlockStore store, String name, Rows rows, BitSet buckets) {
        return new BlockInspection(store, name, rows, false, BATCH, buckets).inspect();
    }

    private Report inspect() {
        buckets();
        return new Report(blocks, bytes, faults);
    }

    /** Folds the written blocks into a result. */
    private <T> T collect(Supplier<T> empty, BiConsumer<T, StoredBlock> add) {
        return rows.read(all -> {
            T found = empty.get();
            for (Row row : all) {
                if (row.key().table().equals(Schema.BLOCKS) && row.string(4).equals(name)) {
                    StoredBlock block = StoredBlock.of(row);
                    boolean inside = wanted == null || wanted.get(ObjectKey.bucket(block.key()));
                    if (inside && block.state() == StoredBlock.State.WRITTEN) {
                        add.accept(found, block);
                    }
                }
            }
            return found;
        });
    }

    private void buckets() {
        int[] counts =
                collect(() -> new int[ObjectKey.BUCKETS], (found, block) -> found[ObjectKey.bucket(block.key())]++);
        int from = 0;
        while (from < ObjectKey.BUCKETS) {
            int to = from;
            long held = 0;
            do {
                held += counts[to];
                to++;
            } while (to < ObjectKey.BUCKETS && held + counts[to] <= batch);
            if (held > 0) {
                look(from, to);
            }
            from = to;
        }
    }

    private void look(int from, int to) {
        Map<String, StoredBlock> expected = collect(HashMap::new, (found, block) -> {
            int bucket = ObjectKey.bucket(block.key());
            if (bucket >= from && bucket < to) {
                found.put(block.key(), block);
            }
        });
        Map<String, Fault> suspects = new HashMap<>();
        expected.forEach((key, block) -> {
            blocks++;
            bytes += block.block().length();
            suspects.put(key, new Fault(block, "its object is missing"));
        });
        for (int bucket = from; bucket < to; bucket++) {
            list(bucket, expected, suspects);
        }
        if (deep) {
            expected.values().stream()
                    .filter(block -> !suspects.containsKey(block.key()))
                    .forEach(block -> read(block, suspects));
        }
        if (!suspects.isEmpty()) {
            List<Fault> still = collect(ArrayList::new, (found, block) -> {
                Fault fault = suspects.get(block.key());
                if (fault != null) {
                    found.add(new Fault(block, fault.why()));
                }
            });
            faults.addAll(still);
        }
    }

    private void list(int bucket, Map<String, StoredBlock> expected, Map<String, Fault> suspects) {
        String after = "";
        List<BlockStore.StoredObject> page;
        do {
            page = store.list(ObjectKey.prefix(bucket), after, PAGE);
            for (BlockStore.StoredObject each : page) {
                after = each.key();
                StoredBlock block = expected.get(each.key());
                if (block == null) {
                    continue;
                }
                long length = block.block().length() + Seal.size(block.block().length());
                if (each.length() == length) {
                    suspects.remove(each.key());
                } else {
                    suspects.put(
                            each.key(),
                            new Fault(block, "its object has " + each.length() + " bytes in place of " + length));
                }
            }
        } while (page.size() == PAGE);
    }

    private void read(StoredBlock block, Map<String, Fault> suspects) {
        FsException failure = read(store, block);
        if (failure != null) {
            suspects.put(block.key(), new Fault(block, String.valueOf(failure.getMessage())));
        }
    }

    /**
     * Reads all of a block; returns the reason why it differs from the written block, {@code BLOCK_CORRUPT} or
     * {@code BLOCK_MISSING}; null if it does not.
     */
    static @Nullable FsException read(BlockStore store, StoredBlock block) {
        BlockSource source = new BlockSource(store);
        long length = block.block().length();
        try {
            for (long at = 0; at < length; at += PIECE) {
                source.read(block.key(), block.block(), at, (int) Math.min(PIECE, length - at));
            }
            return null;
        } catch (FsException e) {
            if (e.code() != ErrorCode.BLOCK_CORRUPT && e.code() != ErrorCode.BLOCK_MISSING) {
                throw e;
            }
            return e;
        }
    }
}
