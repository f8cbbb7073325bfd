package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.inode.StoragePolicies;
import io.lambdafs.model.operation.AttributeOperation.SetPermission;
import io.lambdafs.model.operation.AttributeOperation.SetStoragePolicy;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Row;
import io.lambdafs.store.block.Datanode;
import io.lambdafs.store.format.FormatLevel;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Storage policies: kept, inherited, told, and followed by the blocks that are written. */
class StoragePolicyTest extends BlockFileCase {
    private static final FsPath DIRECTORY = PATH.parent();

    @BeforeEach
    void startTwo() {
        done(new NamespaceOperation.Mkdirs(DIRECTORY, 0755, true));
        serve("d2", StoragePolicies.store("cold"), Datanode.State.SERVING);
        serve("d3", StoragePolicies.store("archive"), Datanode.State.SERVING);
    }

    private void serve(String id, String store, Datanode.State state) {
        put(new Datanode(
                        new DatanodeAddress(id, "localhost", 9_001),
                        store,
                        state,
                        0,
                        0,
                        cluster.scheduler.currentTimeMillis())
                .row());
    }

    private String policy(FsPath path) {
        return ((Reply.StoragePolicy) cluster.call(new ReadOperation.GetStoragePolicy(path))).policy();
    }

    private Reply as(Principal who, Operation<?> operation) {
        return cluster.owner(operation).call(who, operation);
    }

    /** Where the first block of a new file goes. */
    private String storeOf(FsPath path) {
        OpenFile file = ((Reply.Status) create(path, BLOCK_SIZE)).file();
        return ((Reply.BlockAdded) cluster.call(new BlockOperation.AddBlock(path, file, 0, 0, null)))
                .block()
                .store();
    }

    @Test
    void shouldWriteBlocksWhereTheNearestPolicySays() {
        assertThat(storeOf(PATH)).isEqualTo("local");

        done(new SetStoragePolicy(DIRECTORY, "cold"));
        assertThat(storeOf(FsPath.of("/d/cold"))).isEqualTo(StoragePolicies.store("cold"));
        done(new NamespaceOperation.Mkdirs(FsPath.of("/d/e/f"), 0755, true));
        assertThat(storeOf(FsPath.of("/d/e/f/deep"))).isEqualTo(StoragePolicies.store("cold"));
        done(new SetStoragePolicy(FsPath.of("/d/e"), "Archive"));
        assertThat(storeOf(FsPath.of("/d/e/f/deeper"))).isEqualTo(StoragePolicies.store("archive"));
        assertThat(policy(FsPath.of("/d/e/f"))).isEqualTo("archive");
        assertThat(policy(DIRECTORY)).isEqualTo("COLD");

        done(new SetStoragePolicy(FsPath.of("/d/e"), ""));
        assertThat(policy(FsPath.of("/d/e/f"))).isEqualTo("COLD");
        done(new SetStoragePolicy(DIRECTORY, "ALL_SSD"));
        assertThat(storeOf(FsPath.of("/d/e/f/deepest"))).isEqualTo("local");
    }

    @Test
    void shouldPlaceTheNextBlockByAPolicyThatTheFileWasGiven() {
        OpenFile file = ((Reply.Status) create(PATH, BLOCK_SIZE)).file();
        Reply.BlockAdded first = (Reply.BlockAdded) cluster.call(new BlockOperation.AddBlock(PATH, file, 0, 0, null));
        done(new SetStoragePolicy(PATH, "COLD"));

        Reply.BlockAdded second = (Reply.BlockAdded)
                cluster.call(new BlockOperation.AddBlock(PATH, file, 1, 1, written(first.block(), BLOCK_SIZE)));

        assertThat(first.block().store()).isEqualTo("local");
        assertThat(second.block().store()).isEqualTo(StoragePolicies.store("cold"));
        assertThat(second.block().datanodes()).extracting(DatanodeAddress::id).containsExactly("d2");
    }

    @Test
    void shouldKeepAPolicyWhateverElseChanges() {
        write(PATH, BLOCK_SIZE);
        done(new SetStoragePolicy(PATH, "WARM"));
        done(new SetPermission(PATH, 0600));
        FsPath moved = FsPath.of("/moved");
        done(new NamespaceOperation.Rename(PATH, moved, RenameMode.STRICT));

        assertThat(policy(moved)).isEqualTo("WARM");
        assertThat(policy(DIRECTORY)).isEmpty();
        cluster.wholeStore();
    }

    @Test
    void shouldTellTheBlockStoresThatHaveNames() {
        Reply.StoragePolicy root = (Reply.StoragePolicy) cluster.call(new ReadOperation.GetStoragePolicy(FsPath.ROOT));

        assertThat(root).isEqualTo(new Reply.StoragePolicy("", List.of("archive", "cold")));
    }

    @Test
    void shouldWriteToTheStoreWithoutANameWhereThatOfThePolicyIsNotServed() {
        done(new SetStoragePolicy(DIRECTORY, "cold"));
        serve("d2", StoragePolicies.store("cold"), Datanode.State.STOPPED);
        cluster.scheduler.advance(2_000_000_000L);

        assertThat(storeOf(PATH)).isEqualTo("local");
    }

    @Test
    void shouldRefuseAsHdfsDoes() {
        write(PATH, BLOCK_SIZE);
        refused(ErrorCode.INVALID_ARGUMENT, new SetStoragePolicy(DIRECTORY, "nowhere"));
        refused(ErrorCode.INVALID_ARGUMENT, new SetStoragePolicy(PATH, StoragePolicies.LAZY_PERSIST));
        done(new SetStoragePolicy(DIRECTORY, StoragePolicies.LAZY_PERSIST));
        refused(ErrorCode.NOT_FOUND, new SetStoragePolicy(FsPath.of("/d/none"), "COLD"));
        refused(ErrorCode.NOT_FOUND, new ReadOperation.GetStoragePolicy(FsPath.of("/d/none")));
        refused(ErrorCode.NOT_FOUND, new ReadOperation.GetStoragePolicy(FsPath.of("/d/file/below")));
        assertThat(codeOf(as(OTHER, new SetStoragePolicy(PATH, "COLD")))).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(codeOf(as(OTHER, new SetStoragePolicy(DIRECTORY, "COLD")))).isEqualTo(ErrorCode.PERMISSION_DENIED);
    }

    @Test
    void shouldStoreNoPolicyBelowItsFormatLevel() {
        put(new Row(FormatLevel.KEY, "6"));

        refused(ErrorCode.UNSUPPORTED, new SetStoragePolicy(DIRECTORY, "COLD"));
        assertThat(policy(DIRECTORY)).isEmpty();
    }
}
