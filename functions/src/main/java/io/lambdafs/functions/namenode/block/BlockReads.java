package io.lambdafs.functions.namenode.block;

import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.Restart;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.DirectoryStats;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.time.Loop;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.block.StoredBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Looks up the blocks of a file from an offset on. Thread-safe. */
public final class BlockReads {
    /** Maximum number of blocks per reply. */
    private static final int MOST = 100;

    private static final int PAGE = 1_000;

    private final MetadataStore store;
    private final BlockPlaces places;

    public BlockReads(MetadataStore store, BlockPlaces places) {
        this.store = store;
        this.places = places;
    }

    /** Returns the sorted names of all block stores that are in use now. */
    public CompletionStage<List<String>> stores() {
        return places.stores();
    }

    /** Returns the names of the block stores that a policy can choose. */
    public CompletionStage<List<String>> namedStores() {
        return places.namedStores();
    }

    public CompletionStage<Reply> open(Call call, INode file, long offset) {
        Search search = new Search(call, file, offset);
        return Loop.whileTrue(search::page)
                .thenCompose(done -> search.end == 0 && file.size() > 0
                        ? head(call, file)
                        : search.located()
                                .thenApply(blocks ->
                                        new Reply.Opened(Attributes.of(file, DirectoryStats.EMPTY), null, blocks)));
    }

    /** Returns the content of a file under append that is still inline, not in a block. */
    private CompletionStage<Reply> head(Call call, INode file) {
        StoreTransaction read = call.begin(store);
        return read.read(List.of(Read.unlocked(Rows.contentKey(file.id()))), 0)
                .whenComplete((rows, error) -> read.abort())
                .thenApply(rows -> {
                    Row head = rows.get(0);
                    if (head == null) {
                        throw Restart.changed("the file");
                    }
                    return new Reply.Opened(
                            Attributes.of(file, DirectoryStats.EMPTY), SmallFiles.shown(file, head.bytes(0)));
                });
    }

    /** Counts the blocks of a file. */
    public CompletionStage<Integer> count(Call call, long fileId) {
        return tail(call, fileId, Long.MAX_VALUE, 0).thenApply(Tail::blocks);
    }

    /**
     * The end of a file.
     *
     * @param blocks number of blocks before the last of these
     * @param offset of the first of these
     * @param last the blocks ending beyond a length
     */
    public record Tail(int blocks, long offset, List<StoredBlock> last) {}

    /**
     * Finds the blocks of a file ending beyond a length.
     *
     * @param most maximum to return; one more signals that there are more
     */
    public CompletionStage<Tail> tail(Call call, long fileId, long length, int most) {
        Passage passage = new Passage(call, fileId, length, most);
        return Loop.whileTrue(passage::page).thenApply(done -> new Tail(passage.blocks, passage.offset, passage.last));
    }

    /** A sequential pass over a file's blocks. */
    private final class Passage {
        private final Call call;
        private final long fileId;
        private final long length;
        private final int most;
        private final List<StoredBlock> last = new ArrayList<>();
        private int blocks;
        private long end;
        private long offset;

        Passage(Call call, long fileId, long length, int most) {
            this.call = call;
            this.fileId = fileId;
            this.length = length;
            this.most = most;
        }

        CompletionStage<Boolean> page() {
            StoreTransaction page = call.begin(store);
            @Nullable Object after = blocks == 0 ? null : (Object) (blocks - 1L);
            return page.scan(new Scan(Schema.BLOCKS, fileId, after, PAGE))
                    .whenComplete((rows, error) -> page.abort())
                    .thenApply(rows -> rows.stream().map(StoredBlock::of).allMatch(this::take) && rows.size() == PAGE);
        }

        /** Takes a block; returns whether to continue after it. */
        private boolean take(StoredBlock block) {
            if (block.state() != StoredBlock.State.WRITTEN || last.size() > most) {
                return false;
            }
            if (end + block.shown() > length) {
                offset = last.isEmpty() ? end : offset;
                last.add(block);
            }
            end += block.shown();
            blocks++;
            return true;
        }
    }

    /** A sequential search in a file's blocks, because only their lengths tell where each begins. */
    private final class Search {
        private final Call call;
        private final INode file;
        private final long offset;
        private final List<StoredBlock> found = new ArrayList<>();
        /** Offset of the first block found, and the end of the blocks seen. */
        private long from;

        private long end;
        private @Nullable Object last;

        Search(Call call, INode file, long offset) {
            this.call = call;
            this.file = file;
            this.offset = offset;
        }

        /** Reads a page; completes with whether more are wanted. */
        CompletionStage<Boolean> page() {
            StoreTransaction page = call.begin(store);
            return page.scan(new Scan(Schema.BLOCKS, file.id(), last, PAGE))
                    .whenComplete((rows, error) -> page.abort())
                    .thenApply(this::take);
        }

        private boolean take(List<Row> rows) {
            for (Row row : rows) {
                StoredBlock block = StoredBlock.of(row);
                if (end == file.size() || found.size() == MOST) {
                    return false;
                }
                if (block.state() == StoredBlock.State.ALLOCATED) {
                    break;
                }
                if (end + block.shown() > offset) {
                    from = found.isEmpty() ? end : from;
                    found.add(block);
                }
                end += block.shown();
                last = row.key().int64(1);
            }
            if (end == file.size()) {
                return false;
            }
            if (rows.size() < PAGE && end == 0 && file.content() == INode.Content.WRITING) {
                return false;
            }
            if (rows.size() < PAGE) {
                // The row and the blocks were read at two moments.
                throw Restart.changed("the file");
            }
            return true;
        }

        CompletionStage<List<LocatedBlock>> located() {
            return places.toRead(found, from);
        }
    }
}
