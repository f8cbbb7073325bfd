package io.lambdafs.rpc.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.inode.Acl;
import io.lambdafs.model.inode.AclChange;
import io.lambdafs.model.inode.AclEntry;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Quota;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.BulkDelete;
import io.lambdafs.model.operation.Difference;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.OpenFile;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.model.operation.SeenFile;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The bytes of one message of each kind, frozen: processes of different builds speak to each other. */
class WireFormatTest {
    private static final FsPath PATH = FsPath.of("/d/f");
    private static final Attributes FILE = new Attributes(
            "f",
            1_001,
            new INode.Traits(INode.Kind.FILE, "ann", "staff", 0640, 3, 4_096, INode.Content.INLINE),
            5,
            1_000,
            2_000,
            0);
    private static final Attributes DIRECTORY = new Attributes(
            "g",
            1_002,
            new INode.Traits(INode.Kind.DIRECTORY, "ann", "wheel", 0755, 0, 0, INode.Content.NONE),
            0,
            1_500,
            1_500,
            2);

    private static final INode.Traits WITH_ACL = new INode.Traits(
            INode.Kind.FILE, "ann", "staff", 0640, 3, 4_096, INode.Content.INLINE, 0, Acl.UNTOLD, "", 0);

    private static final Block BLOCK = new Block(7, 8, 5, 6);
    private static final LocatedBlock LOCATED =
            new LocatedBlock(BLOCK, 1, "s", "k", List.of(new DatanodeAddress("d", "h", 2)), new byte[] {9});

    private static final String REQUEST_HEAD = "640200000000000000010000000000000002060802d00f";
    private static final String REPLY_HEAD = "65041201";

    static Stream<Arguments> frozen() {
        return Stream.of(
                Arguments.of(new Bind("t"), "010174"),
                Arguments.of(new Bound(3), "0206"),
                Arguments.of(new Register(1, "i-1", 77, "once"), "030203692d319a01046f6e6365"),
                Arguments.of(Done.DONE, "04"),
                Arguments.of(new Failed(ErrorCode.NOT_FOUND, "no"), "05ca01026e6f"),
                request(new ReadOperation.Stat(PATH), "6e042f642f66"),
                request(new ReadOperation.ListPage(PATH, "a", 100), "6f042f642f660161c801"),
                request(new ReadOperation.Open(PATH), "70042f642f66"),
                request(new NamespaceOperation.Mkdirs(PATH, 0755, true), "71042f642f66da0701"),
                request(
                        new FileOperation.Create(
                                PATH, 0644, true, false, 3, 1 << 20, new byte[] {9}, new FileOperation.Imported(7, 8)),
                        "72042f642f66c80601000680808001010109010e10"),
                request(
                        new FileOperation.Complete(PATH, new OpenFile(1_001, 0), new byte[] {1, 2}),
                        "73042f642f66d20f020102"),
                request(
                        new FileOperation.Complete(PATH, new OpenFile(1_001, 1), new byte[] {1, 2}),
                        "7f042f642f66d20f02020102"),
                request(new ReadOperation.Open(PATH, 7), "85042f642f660e"),
                request(
                        new BlockOperation.AddBlock(PATH, new OpenFile(3, 4), 5, 1, BLOCK),
                        "80042f642f6606080a02010e100a0c"),
                request(
                        new BlockOperation.CompleteBlocks(PATH, new OpenFile(3, 4), 5, 0, null),
                        "81042f642f6606080a0000"),
                request(
                        new BlockOperation.AddBlock(PATH, new OpenFile(3, 4), 5, 1, BLOCK, new byte[] {9, 8}),
                        "9d042f642f6606080a020e100a0c020908"),
                request(
                        new BlockOperation.CompleteBlocks(PATH, new OpenFile(3, 4), 5, 1, BLOCK, new byte[] {9, 8}),
                        "9e042f642f6606080a020e100a0c020908"),
                request(new BlockOperation.RenewLease(PATH, new OpenFile(3, 4), 5), "82042f642f6606080a"),
                request(new BlockOperation.Abandon(PATH, new OpenFile(3, 4), 5), "83042f642f6606080a"),
                request(new BlockOperation.TakeLease(PATH, true), "84042f642f6601"),
                request(new BlockOperation.TakeLease(PATH, true, 3, 5), "a0042f642f66060a"),
                request(
                        new FileOperation.Complete(PATH, new OpenFile(3, 4), 5, new byte[] {1, 2}),
                        "8e042f642f6606080a020102"),
                request(new BlockOperation.RecoverLease(PATH, new OpenFile(3, 4)), "8f042f642f660608"),
                request(new BlockOperation.Truncate(PATH, 5), "8c042f642f660a"),
                request(new BlockOperation.Concat(PATH, List.of(FsPath.of("/d/e"))), "8d042f642f6601042f642f65"),
                request(new NamespaceOperation.Delete(PATH, true), "74042f642f6601"),
                request(new NamespaceOperation.Delete(PATH, false, new SeenFile(3, 4, 5)), "ab042f642f6606080a"),
                request(new ReadOperation.ListEach(List.of(PATH, FsPath.of("/d/e")), 9), "9c042f642f6601042f642f6512"),
                request(
                        new BulkDelete(new RequestId(1, 2, 3, 4), List.of(PATH, FsPath.of("/d/e"))),
                        "9b042f642f660204060801042f642f65"),
                request(
                        new NamespaceOperation.Rename(PATH, FsPath.of("/e"), Operation.RenameMode.OVERWRITE),
                        "75042f642f66022f6502"),
                request(
                        new NamespaceOperation.Rename(
                                PATH, FsPath.of("/e"), Operation.RenameMode.OVERWRITE, new SeenFile(3, 4, 5)),
                        "aa042f642f66022f6506080a"),
                request(new AttributeOperation.SetPermission(PATH, 01777), "76042f642f66fe0f"),
                request(new AttributeOperation.SetOwner(PATH, null, "g"), "77042f642f6600010167"),
                request(new AttributeOperation.SetTimes(PATH, -1, 5), "78042f642f66010a"),
                request(new AttributeOperation.SetReplication(PATH, 2), "79042f642f6604"),
                request(new ReadOperation.GetXattrs(PATH, true), "90042f642f6601"),
                request(
                        new AttributeOperation.SetXattr(PATH, "a", new byte[] {7}, true, false),
                        "91042f642f66016101070100"),
                request(new AttributeOperation.RemoveXattr(PATH, "a"), "92042f642f660161"),
                request(new ReadOperation.GetSafeMode(PATH), "97042f642f66"),
                request(new AttributeOperation.SetSafeMode(PATH, true), "98042f642f6601"),
                request(new ReadOperation.GetStoragePolicy(PATH), "99042f642f66"),
                request(new ReadOperation.ListDamaged(PATH, "a"), "9f042f642f660161"),
                request(new ReadOperation.GetTotals(PATH), "a1042f642f66"),
                request(new ReadOperation.GetTotals(PATH, true), "a3042f642f66"),
                request(new AttributeOperation.SetQuota(PATH, -1, 3), "a2042f642f660106"),
                request(
                        new AttributeOperation.ChangeSnapshots(
                                PATH, AttributeOperation.ChangeSnapshots.Action.RENAME, "a", "b"),
                        "a4042f642f660801610162"),
                request(new ReadOperation.DiffSnapshots(PATH, "a", "", "b"), "a5042f642f660161000162"),
                request(new AttributeOperation.SetStoragePolicy(PATH, "COLD"), "9a042f642f6604434f4c44"),
                request(new ReadOperation.GetAcl(PATH), "93042f642f66"),
                request(
                        new AttributeOperation.ChangeAcl(
                                PATH, AclChange.SET, List.of(new AclEntry(true, AclEntry.Type.USER, "b", 6))),
                        "94042f642f66041264656661756c743a757365723a623a72772d"),
                request(new NamespaceOperation.Mkdirs(PATH, 0755, 0777, true), "95042f642f66da07fe0701"),
                request(
                        new FileOperation.Create(PATH, 0644, 0666, true, false, 3, 1 << 20, new byte[] {9}, null),
                        "96042f642f66c806ec060100068080800101010900"),
                request(new ReadOperation.Access(PATH, 6), "6d042f642f660c"),
                reply(
                        new Reply.Outcomes(List.of(Reply.Done.NO, new Reply.Failure(ErrorCode.NOT_FOUND, "x"))),
                        "87027d007eca010178"),
                reply(new Reply.Outcomes(List.of(new Reply.Page(List.of(), true))), "87017b0100"),
                reply(new Reply.Status(FILE), "7a03616e6e057374616666016601d20fc0060ad00fd00f06804000"),
                reply(new Reply.Status(FILE, 1), "7f03616e6e057374616666016601d20fc0060ad00fd00f0680400002"),
                reply(
                        new Reply.Page(List.of(FILE, DIRECTORY), true),
                        "7b01020003616e6e00057374616666016601d20fc0060ad00fd00f06804000010005776865656c016710029a0100e8070005ff3f04"),
                reply(
                        new Reply.Opened(FILE, new byte[] {1, 2, 3, 4, 5}),
                        "7c03616e6e057374616666016601d20fc0060ad00fd00f0680400001050102030405"),
                reply(
                        new Reply.Opened(FILE, null, List.of(LOCATED)),
                        "8003616e6e057374616666016601d20fc0060ad00fd00f0680400000010e100a0c020173016b0101640168040109"),
                reply(new Reply.BlockAdded(LOCATED), "810e100a0c020173016b0101640168040109"),
                reply(
                        new Reply.Leased(FILE, 1, 2, 3, null),
                        "8203616e6e057374616666016601d20fc0060ad00fd00f0680400002040600"),
                reply(
                        new Reply.AclStatus("a", "g", 0640, List.of(new AclEntry(false, AclEntry.Type.GROUP, "", 4))),
                        "8401610167c0060a67726f75703a3a722d2d"),
                reply(
                        new Reply.Status(new Attributes("f", 1, WITH_ACL, 5, 1_000, 2_000, 0)),
                        "7a03616e6e05737461666601660102c0460ad00fd00f06804000"),
                reply(new Reply.StoragePolicy("COLD", List.of("a")), "8504434f4c44010161"),
                reply(new Reply.Damaged(List.of(1L, 2L), "a"), "880202040161"),
                reply(new Reply.Totals(1, 2, 3, 6), "8a0204060c"),
                reply(
                        new Reply.Differences(
                                List.of(
                                        new Difference(Difference.Kind.CREATED, "a", ""),
                                        new Difference(Difference.Kind.RENAMED, "b", "c")),
                                "d"),
                        "8c02020161000601620163" + "0164"),
                reply(new Reply.Totals(1, 2, 3, 6, new Quota(4, -1)), "8b0204060c0801"),
                reply(Reply.Done.YES, "7d01"),
                reply(new Reply.Failure(ErrorCode.FENCED, "x"), "7ede040178"));
    }

    private static Arguments request(Operation<?> operation, String fields) {
        return Arguments.of(
                new OperationRequest(1, new RequestId(1, 2, 3, 4), 1, 1_000, operation), REQUEST_HEAD + fields);
    }

    private static Arguments reply(Reply reply, String fields) {
        return Arguments.of(new OperationReply(2, 9, true, reply), REPLY_HEAD + fields);
    }

    @ParameterizedTest
    @MethodSource("frozen")
    void shouldKeepItsBytes(Message message, String hex) {
        WireWriter out = new WireWriter();
        RpcMessages.codec().write(out, message);

        assertThat(HexFormat.of().formatHex(out.toByteArray())).isEqualTo(hex);
    }
}
