package io.lambdafs.functions.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An open file is its writer's, whoever else may write it (FILES: F24). */
class OpenFileRightsTest extends BlockFileCase {
    private static final Principal U1 = new Principal("u1", List.of("users"));
    private static final Principal U2 = new Principal("u2", List.of("users"));
    private static final FsPath DIRECTORY = FsPath.of("/d");

    @BeforeEach
    void makeDirectory() {
        done(new NamespaceOperation.Mkdirs(DIRECTORY, 0755, true));
        done(new AttributeOperation.SetOwner(DIRECTORY, "u1", "staff"));
    }

    private Reply as(Principal who, Operation<?> operation) {
        return cluster.owner(operation).call(who, operation);
    }

    private void denied(Principal who, Operation<?> operation) {
        assertThat(codeOf(as(who, operation))).as("%s", operation).isEqualTo(ErrorCode.PERMISSION_DENIED);
    }

    private OpenFile make(int mode, byte... content) {
        Reply made = as(U1, new FileOperation.Create(PATH, 0644, true, true, 1, BLOCK_SIZE, content, null));
        as(U1, new AttributeOperation.SetPermission(PATH, mode));
        return ((Reply.Status) made).file();
    }

    private LocatedBlock add(Principal who, OpenFile file, long generation, int index, @Nullable Block previous) {
        Reply added = as(who, new BlockOperation.AddBlock(PATH, file, generation, index, previous));
        return ((Reply.BlockAdded) added).block();
    }

    private Reply.Leased take(Principal who, boolean force) {
        return (Reply.Leased) as(who, new BlockOperation.TakeLease(PATH, force));
    }

    private static List<Operation<?>> writes(OpenFile file, long generation, int blocks, @Nullable Block last) {
        return List.of(
                new BlockOperation.AddBlock(PATH, file, generation, blocks, last),
                new BlockOperation.CompleteBlocks(PATH, file, generation, blocks, last),
                new FileOperation.Complete(PATH, file, generation, new byte[] {1}),
                new BlockOperation.RenewLease(PATH, file, generation),
                new BlockOperation.Abandon(PATH, file, generation),
                new BlockOperation.TakeLease(PATH, true, file.id(), generation),
                new BlockOperation.RecoverLease(PATH, file));
    }

    @Test
    void shouldRefuseWhoeverDoesNotHoldTheLease() {
        OpenFile file = make(0666);
        Block first = written(add(U1, file, 0, 0, null), 100);
        LocatedBlock second = add(U1, file, 1, 1, first);
        writes(file, 1, 2, written(second, 10)).forEach(write -> denied(U2, write));
        assertThat(stat(PATH).size()).isEqualTo(100);
        assertThat(as(U1, new BlockOperation.CompleteBlocks(PATH, file, 1, 2, written(second, 10))))
                .isInstanceOf(Reply.Status.class);
        cluster.wholeStore();
    }

    @Test
    void shouldRefuseTheOwnerWhileAnotherWrites() {
        make(0666, (byte) 1);
        Reply.Leased leased = take(U2, false);
        writes(leased.file(), leased.generation(), 0, null).forEach(write -> denied(U1, write));
        assertThat(as(U2, new BlockOperation.CompleteBlocks(PATH, leased.file(), leased.generation(), 0, null)))
                .isInstanceOf(Reply.Status.class);
    }

    @Test
    void shouldLeaveAnEmptyFileToWhoMadeIt() {
        OpenFile file = make(0666);
        denied(U2, new BlockOperation.AddBlock(PATH, file, 0, 0, null));
        denied(U2, new FileOperation.Complete(PATH, file, new byte[] {1}));
        denied(U2, new BlockOperation.Abandon(PATH, file, 0));
        assertThat(as(U1, new BlockOperation.Abandon(PATH, file, 0))).isEqualTo(Reply.Done.YES);
    }

    @Test
    void shouldRemoveNothingUnderALeaseThatWasTaken() {
        for (byte[] content : new byte[][] {{}, {1}}) {
            for (int directory : new int[] {0755, 01777}) {
                done(new AttributeOperation.SetPermission(DIRECTORY, directory));
                make(0666, content);
                Reply.Leased leased = take(U2, true);
                denied(U2, new BlockOperation.Abandon(PATH, leased.file(), leased.generation()));
                Reply.Leased own = take(U1, true);
                Reply refused = as(U1, new BlockOperation.Abandon(PATH, own.file(), own.generation()));
                assertThat(codeOf(refused)).isEqualTo(ErrorCode.NOT_ALLOWED);
                assertThat(stat(PATH).size()).isEqualTo(content.length);
            }
        }
    }

    @Test
    void shouldRemoveNothingFromADirectoryThatItsMakerMayNotWriteAnyMore() {
        OpenFile empty = make(0666);
        done(new AttributeOperation.SetOwner(DIRECTORY, "root", "staff"));
        denied(U1, new BlockOperation.Abandon(PATH, empty, 0));
        add(U1, empty, 0, 0, null);
        denied(U1, new BlockOperation.Abandon(PATH, empty, 1));
        assertThat(stat(PATH).content()).isEqualTo(INode.Content.WRITING);
    }

    @Test
    void shouldNeedNoPermissionOfTheWriterAnyMore() {
        make(0666, (byte) 1, (byte) 2);
        Reply.Leased leased = take(U2, false);
        done(new AttributeOperation.SetPermission(PATH, 0600));
        done(new AttributeOperation.SetPermission(DIRECTORY, 0700));
        Block last = written(add(U2, leased.file(), leased.generation(), 0, null), 50);
        assertThat(as(U2, new BlockOperation.RenewLease(PATH, leased.file(), leased.generation())))
                .isEqualTo(Reply.Done.YES);
        assertThat(as(U2, new BlockOperation.CompleteBlocks(PATH, leased.file(), leased.generation(), 1, last)))
                .isInstanceOf(Reply.Status.class);
        assertThat(stat(PATH).size()).isEqualTo(50);
    }

    @Test
    void shouldLetItsWriterGoOnInPlaceOfALostProcess() {
        OpenFile file = make(0444);
        add(U1, file, 0, 0, null);
        Reply taken = as(U1, new BlockOperation.TakeLease(PATH, true, file.id(), 1));
        assertThat(taken).isInstanceOf(Reply.Leased.class);
        denied(U1, new BlockOperation.TakeLease(PATH, true));
    }

    /** Whoever has taken a lease by force, without being shown what the file has, is not shown it as its own successor. */
    @Test
    void shouldShowNoContentToTheSuccessorOfWhoMayWriteItOnly() {
        make(0622, (byte) 1, (byte) 2);
        Reply.Leased forced = take(U2, true);
        denied(U2, new BlockOperation.TakeLease(PATH, true, forced.file().id(), forced.generation()));
    }

    @Test
    void shouldShowNoContentToWhoMayWriteItOnly() {
        make(0622, (byte) 1, (byte) 2);
        denied(U2, new BlockOperation.TakeLease(PATH, false));
        assertThat(stat(PATH).content()).isEqualTo(INode.Content.INLINE);
        Reply.Leased forced = take(U2, true);
        assertThat(forced.head()).isNull();
        assertThat(as(U2, new BlockOperation.CompleteBlocks(PATH, forced.file(), forced.generation(), 0, null)))
                .isInstanceOf(Reply.Status.class);
        assertThat(read(PATH).content()).containsExactly(1, 2);
    }

    @Test
    void shouldTellAWriterOfAnotherUserThatItsLeaseWasTaken() {
        OpenFile file = make(0666);
        add(U1, file, 0, 0, null);
        take(U2, true);
        Reply refused = as(U1, new BlockOperation.AddBlock(PATH, file, 1, 1, null));
        assertThat(codeOf(refused)).isEqualTo(ErrorCode.STALE_GENERATION);
    }
}
