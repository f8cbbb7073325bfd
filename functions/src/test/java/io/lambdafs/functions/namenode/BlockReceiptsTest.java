package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.functions.namenode.write.LeaseWrites;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.block.BlockTokens;
import io.lambdafs.store.format.FormatLevel;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A block counts with the length that its datanode has signed, whatever its writer says (FILES: F26). */
class BlockReceiptsTest extends BlockFileCase {
    private static final BlockTokens TOKENS = BlockTokens.of(Secret.of("a cluster"), InstantSource.system());

    @BeforeEach
    void signTokens() {
        cluster.tokens = TOKENS;
    }

    /** Claims of a writer about a block of 60 bytes, with their proofs. */
    private enum Lie {
        LONGER {
            @Override
            Report of(LocatedBlock block) {
                return new Report(written(block, 61), receipt(block, written(block, 60)));
            }
        },
        AS_LONG_AS_IT_MAY_BE {
            @Override
            Report of(LocatedBlock block) {
                return new Report(written(block, BLOCK_SIZE), receipt(block, written(block, 60)));
            }
        },
        SHORTER {
            @Override
            Report of(LocatedBlock block) {
                return new Report(written(block, 59), receipt(block, written(block, 60)));
            }
        },
        OTHER_BYTES {
            @Override
            Report of(LocatedBlock block) {
                return new Report(checksum(written(block, 60), 8), receipt(block, written(block, 60)));
            }
        },
        WITHOUT_RECEIPT {
            @Override
            Report of(LocatedBlock block) {
                return new Report(written(block, 60), BlockOperation.NO_RECEIPT);
            }
        },
        RECEIPT_OF_ANOTHER_CLUSTER {
            @Override
            Report of(LocatedBlock block) {
                BlockTokens other = BlockTokens.of(Secret.of("another"), InstantSource.system());
                Block said = written(block, 60);
                return new Report(said, other.receipt(said, block.store(), block.key()));
            }
        },
        RECEIPT_OF_AN_INSECURE_DATANODE {
            @Override
            Report of(LocatedBlock block) {
                BlockTokens other = BlockTokens.of(null, InstantSource.system());
                Block said = written(block, 60);
                return new Report(said, other.receipt(said, block.store(), block.key()));
            }
        },
        RECEIPT_OF_ANOTHER_STORE {
            @Override
            Report of(LocatedBlock block) {
                Block said = written(block, 60);
                return new Report(said, TOKENS.receipt(said, "other", block.key()));
            }
        },
        RECEIPT_OF_ANOTHER_ATTEMPT {
            @Override
            Report of(LocatedBlock block) {
                Block said = written(block, 60);
                String key = ObjectKey.of(said.id(), said.generation(), 1);
                return new Report(said, TOKENS.receipt(said, block.store(), key));
            }
        },
        RECEIPT_OF_AN_OLDER_GENERATION {
            @Override
            Report of(LocatedBlock block) {
                Block said = written(block, 60);
                Block older = new Block(said.id(), said.generation() - 1, said.length(), said.crc32c());
                return new Report(said, receipt(block, older));
            }
        },
        RECEIPT_OF_ANOTHER_BLOCK {
            @Override
            Report of(LocatedBlock block) {
                Block said = written(block, 60);
                Block other = new Block(said.id() + 1, said.generation(), said.length(), said.crc32c());
                return new Report(said, receipt(block, other));
            }
        };

        abstract Report of(LocatedBlock block);
    }

    @SuppressWarnings("ArrayRecordComponent")
    private record Report(Block block, byte[] receipt) {}

    private static byte[] receipt(LocatedBlock block, Block written) {
        return TOKENS.receipt(written, block.store(), block.key());
    }

    private static Block checksum(Block block, int crc32c) {
        return new Block(block.id(), block.generation(), block.length(), crc32c);
    }

    private OpenFile open() {
        return ((Reply.Status) create(PATH, BLOCK_SIZE)).file();
    }

    private LocatedBlock first(OpenFile file) {
        return ((Reply.BlockAdded) cluster.call(new BlockOperation.AddBlock(PATH, file, 0, 0, null))).block();
    }

    private static List<Operation<?>> reports(OpenFile file, Report report) {
        return List.of(
                new BlockOperation.AddBlock(PATH, file, 1, 1, report.block(), report.receipt()),
                new BlockOperation.CompleteBlocks(PATH, file, 1, 1, report.block(), report.receipt()));
    }

    @ParameterizedTest
    @EnumSource(Lie.class)
    void shouldRefuseALieAboutABlock(Lie lie) {
        OpenFile file = open();
        LocatedBlock block = first(file);
        for (Operation<?> told : reports(file, lie.of(block))) {
            refused(ErrorCode.INVALID_ARGUMENT, told);
        }
        assertThat(stat(PATH).size()).isZero();
        assertThat(stat(PATH).content()).isEqualTo(INode.Content.WRITING);
        // And it is in no file that is closed without its writer.
        cluster.advance(LeaseWrites.HARD_LIMIT.plus(Duration.ofSeconds(1)));
        cluster.call(new BlockOperation.RecoverLease(PATH, file));
        assertThat(stat(PATH).content()).isEqualTo(INode.Content.BLOCKS);
        assertThat(stat(PATH).size()).isZero();
        assertThat(read(PATH).blocks()).isEmpty();
    }

    @Test
    void shouldTakeWhatDatanodesHaveSigned() {
        OpenFile file = open();
        LocatedBlock first = first(file);
        Block one = written(first, 60);
        LocatedBlock second = ((Reply.BlockAdded)
                        cluster.call(new BlockOperation.AddBlock(PATH, file, 1, 1, one, receipt(first, one))))
                .block();
        assertThat(stat(PATH).size()).isEqualTo(60);
        Block two = written(second, 40);
        done(new BlockOperation.CompleteBlocks(PATH, file, 1, 2, two, receipt(second, two)));
        assertThat(stat(PATH).size()).isEqualTo(100);
        assertThat(read(PATH).blocks()).extracting(LocatedBlock::block).containsExactly(one, two);
    }

    /** As long as clients and datanodes of earlier builds may be there. */
    @Test
    void shouldWantNoReceiptBelowItsFormatLevel() {
        put(FormatLevel.REPORTS.row());
        write(PATH, 100, 40);
        assertThat(stat(PATH).size()).isEqualTo(140);
    }

    @Test
    void shouldSayThatAnEarlierBuildBringsNoReceipt() {
        OpenFile file = open();
        Block said = written(first(file), 60);
        Reply refusal = cluster.call(new BlockOperation.CompleteBlocks(PATH, file, 1, 1, said));
        assertThat(((Reply.Failure) refusal).message())
                .contains("60 bytes", "without its datanode's receipt", "earlier builds");
    }

    /** The block comes from an earlier writer, whose lease was taken while the block was on its way. */
    @Test
    void shouldTakeNoBlockOfAnOlderGeneration() {
        OpenFile file = open();
        LocatedBlock older = first(file);
        Block written = written(older, 60);
        long taken = ((Reply.Leased) cluster.call(new BlockOperation.TakeLease(PATH, true))).generation();
        Block renamed = new Block(written.id(), taken, written.length(), written.crc32c());
        for (Block told : List.of(written, renamed)) {
            for (byte[] receipt : List.of(receipt(older, written), receipt(older, told))) {
                refused(
                        ErrorCode.INVALID_ARGUMENT,
                        new BlockOperation.CompleteBlocks(PATH, file, taken, 1, told, receipt));
                refused(ErrorCode.INVALID_ARGUMENT, new BlockOperation.AddBlock(PATH, file, taken, 1, told, receipt));
            }
        }
        LocatedBlock newer = next(file, taken, null);
        Block said = new Block(newer.block().id(), taken - 1, 60, 7);
        refused(
                ErrorCode.INVALID_ARGUMENT,
                new BlockOperation.CompleteBlocks(PATH, file, taken, 1, said, receipt(newer, said)));
        assertThat(stat(PATH).size()).isZero();
        done(new BlockOperation.CompleteBlocks(
                PATH, file, taken, 1, written(newer, 60), receipt(newer, written(newer, 60))));
        assertThat(stat(PATH).size()).isEqualTo(60);
    }

    private LocatedBlock next(OpenFile file, long generation, @Nullable Block previous) {
        Reply added = cluster.call(new BlockOperation.AddBlock(PATH, file, generation, 0, previous));
        return ((Reply.BlockAdded) added).block();
    }

    /** Small files have no block and no receipt. */
    @Test
    void shouldCompleteASmallFile() {
        OpenFile file = open();
        done(new FileOperation.Complete(PATH, file, new byte[] {1, 2}));
        assertThat(stat(PATH).size()).isEqualTo(2);
    }
}
