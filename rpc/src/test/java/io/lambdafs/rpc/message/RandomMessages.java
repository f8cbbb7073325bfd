package io.lambdafs.rpc.message;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.DatanodeAddress;
import io.lambdafs.model.block.DirectAccess;
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
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.model.operation.SeenFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Messages of every type, from a seeded source. */
final class RandomMessages {
    private static final String[] ALPHABET = {"a", "Z", "0", "-", " ", "ß", "€", "漢", "\ud83d\ude00", "%"};

    private final RandomGenerator random;
    final Map<Class<?>, Supplier<Operation<?>>> operations = new LinkedHashMap<>();
    final Map<Class<?>, Supplier<Reply>> replies = new LinkedHashMap<>();
    final Map<Class<?>, Supplier<Message>> messages = new LinkedHashMap<>();

    RandomMessages(RandomGenerator random) {
        this.random = random;
        operations.put(ReadOperation.Stat.class, () -> new ReadOperation.Stat(path()));
        operations.put(
                ReadOperation.ListPage.class,
                () -> new ReadOperation.ListPage(path(), text(), random.nextInt(1, Operation.MAX_PAGE + 1)));
        operations.put(ReadOperation.Open.class, () -> new ReadOperation.Open(path(), random.nextInt(3)));
        operations.put(ReadOperation.Access.class, () -> new ReadOperation.Access(path(), random.nextInt(8)));
        operations.put(
                NamespaceOperation.Mkdirs.class,
                () -> new NamespaceOperation.Mkdirs(path(), mode(), mode(), random.nextBoolean()));
        operations.put(FileOperation.Create.class, this::create);
        operations.put(
                FileOperation.Complete.class,
                () -> new FileOperation.Complete(path(), openFile(), random.nextInt(3), bytes()));
        operations.put(BlockOperation.AddBlock.class, () -> {
            Block block = optional(block());
            return new BlockOperation.AddBlock(
                    path(), openFile(), random.nextLong(), random.nextInt(1, 100), block, receipt(block));
        });
        operations.put(BlockOperation.CompleteBlocks.class, () -> {
            Block block = optional(block());
            return new BlockOperation.CompleteBlocks(
                    path(), openFile(), random.nextLong(), random.nextInt(1, 100), block, receipt(block));
        });
        operations.put(
                BlockOperation.RenewLease.class,
                () -> new BlockOperation.RenewLease(path(), openFile(), random.nextLong()));
        operations.put(
                BlockOperation.Abandon.class, () -> new BlockOperation.Abandon(path(), openFile(), random.nextLong()));
        operations.put(
                BlockOperation.TakeLease.class,
                () -> random.nextBoolean()
                        ? new BlockOperation.TakeLease(path(), random.nextBoolean())
                        : new BlockOperation.TakeLease(path(), true, random.nextLong(), random.nextInt(1, 99)));
        operations.put(BlockOperation.RecoverLease.class, () -> new BlockOperation.RecoverLease(path(), openFile()));
        operations.put(ReadOperation.GetXattrs.class, () -> new ReadOperation.GetXattrs(path(), random.nextBoolean()));
        operations.put(
                AttributeOperation.SetXattr.class,
                () -> new AttributeOperation.SetXattr(
                        path(), text(), bytes(), random.nextBoolean(), random.nextBoolean()));
        operations.put(AttributeOperation.RemoveXattr.class, () -> new AttributeOperation.RemoveXattr(path(), text()));
        operations.put(ReadOperation.GetSafeMode.class, () -> new ReadOperation.GetSafeMode(path()));
        operations.put(
                AttributeOperation.SetSafeMode.class,
                () -> new AttributeOperation.SetSafeMode(path(), random.nextBoolean()));
        operations.put(ReadOperation.GetStoragePolicy.class, () -> new ReadOperation.GetStoragePolicy(path()));
        operations.put(ReadOperation.GetTotals.class, () -> new ReadOperation.GetTotals(path(), random.nextBoolean()));
        operations.put(
                ReadOperation.DiffSnapshots.class,
                () -> new ReadOperation.DiffSnapshots(path(), text(), text(), text()));
        operations.put(
                AttributeOperation.ChangeSnapshots.class,
                () -> new AttributeOperation.ChangeSnapshots(
                        path(), AttributeOperation.ChangeSnapshots.Action.RENAME, "s" + random.nextInt(9), "t"));
        operations.put(
                AttributeOperation.SetQuota.class,
                () -> new AttributeOperation.SetQuota(path(), random.nextInt(-1, 99), random.nextLong(-1, 1L << 40)));
        operations.put(ReadOperation.ListDamaged.class, () -> new ReadOperation.ListDamaged(path(), text()));
        operations.put(
                AttributeOperation.SetStoragePolicy.class,
                () -> new AttributeOperation.SetStoragePolicy(path(), random.nextBoolean() ? "" : "WARM"));
        operations.put(ReadOperation.GetAcl.class, () -> new ReadOperation.GetAcl(path()));
        operations.put(
                AttributeOperation.ChangeAcl.class,
                () -> new AttributeOperation.ChangeAcl(path(), oneOf(AclChange.values()), entries()));
        operations.put(BlockOperation.Truncate.class, () -> new BlockOperation.Truncate(path(), random.nextInt(99)));
        operations.put(BlockOperation.Concat.class, this::concat);
        operations.put(
                NamespaceOperation.Delete.class,
                () -> random.nextBoolean()
                        ? new NamespaceOperation.Delete(path(), random.nextBoolean())
                        : new NamespaceOperation.Delete(path(), false, seen()));
        operations.put(
                ReadOperation.ListEach.class,
                () -> new ReadOperation.ListEach(
                        Stream.generate(this::path).limit(random.nextInt(1, 9)).toList(), random.nextInt(1, 999)));
        operations.put(
                BulkDelete.class,
                () -> new BulkDelete(
                        new RequestId(random.nextLong(), random.nextLong(), random.nextInt(1, 99), random.nextLong()),
                        Stream.generate(this::path).limit(random.nextInt(1, 9)).toList()));
        operations.put(
                NamespaceOperation.Rename.class,
                () -> random.nextBoolean()
                        ? new NamespaceOperation.Rename(path(), path(), oneOf(Operation.RenameMode.values()))
                        : new NamespaceOperation.Rename(path(), path(), Operation.RenameMode.OVERWRITE, seen()));
        operations.put(
                AttributeOperation.SetPermission.class, () -> new AttributeOperation.SetPermission(path(), mode()));
        operations.put(
                AttributeOperation.SetOwner.class,
                () -> new AttributeOperation.SetOwner(path(), optional(text()), optional(text())));
        operations.put(
                AttributeOperation.SetTimes.class,
                () -> new AttributeOperation.SetTimes(path(), random.nextLong(), random.nextLong()));
        operations.put(
                AttributeOperation.SetReplication.class,
                () -> new AttributeOperation.SetReplication(path(), random.nextInt(1, 513)));

        replies.put(Reply.Status.class, () -> new Reply.Status(attributes(), random.nextInt(3)));
        replies.put(
                Reply.Page.class,
                () -> new Reply.Page(
                        Stream.generate(this::attributes)
                                .limit(random.nextInt(40))
                                .toList(),
                        random.nextBoolean()));
        replies.put(Reply.Opened.class, () -> new Reply.Opened(attributes(), optional(bytes()), located()));
        replies.put(
                Reply.Outcomes.class,
                () -> new Reply.Outcomes(List.of(
                        Reply.Done.YES,
                        new Reply.Failure(ErrorCode.NOT_EMPTY, text()),
                        new Reply.Page(List.of(attributes()), random.nextBoolean()))));
        replies.put(Reply.Xattrs.class, () -> new Reply.Xattrs(new TreeMap<>()));
        replies.put(Reply.Damaged.class, () -> new Reply.Damaged(List.of(random.nextLong(), 7L), text()));
        replies.put(
                Reply.Totals.class,
                () -> new Reply.Totals(
                        random.nextLong(),
                        random.nextInt(99),
                        random.nextLong(),
                        random.nextLong(),
                        random.nextBoolean() ? Quota.UNLIMITED : new Quota(random.nextInt(99), random.nextLong())));
        replies.put(
                Reply.Differences.class,
                () -> new Reply.Differences(
                        List.of(
                                new Difference(oneOf(Difference.Kind.values()), text(), ""),
                                new Difference(Difference.Kind.RENAMED, text(), text())),
                        text()));
        replies.put(Reply.StoragePolicy.class, () -> new Reply.StoragePolicy(text(), List.of(text(), text())));
        replies.put(Reply.AclStatus.class, () -> new Reply.AclStatus(text(), text(), mode(), entries()));
        replies.put(Reply.BlockAdded.class, () -> new Reply.BlockAdded(locatedBlock()));
        replies.put(
                Reply.Leased.class,
                () -> new Reply.Leased(
                        attributes(),
                        random.nextLong(),
                        random.nextLong(),
                        random.nextInt(100),
                        random.nextBoolean() ? new byte[] {1} : null));
        replies.put(Reply.Done.class, () -> new Reply.Done(random.nextBoolean()));
        replies.put(
                Reply.Failure.class,
                () -> new Reply.Failure(
                        oneOf(ErrorCode.values()),
                        text(),
                        optional(new Placement(random.nextInt(5), random.nextInt(1, 1_025)))));

        messages.put(Bind.class, () -> new Bind(text()));
        messages.put(Bound.class, () -> new Bound(random.nextInt()));
        messages.put(Register.class, () -> new Register(random.nextInt(), text(), random.nextLong(), text()));
        messages.put(Done.class, () -> Done.DONE);
        messages.put(Failed.class, () -> new Failed(oneOf(ErrorCode.values()), text()));
        messages.put(Proof.class, () -> new Proof(text(), text()));
        messages.put(Lend.class, () -> new Lend(random.nextLong(), random.nextInt(), lent()));
        messages.put(Forward.class, this::forward);
        messages.put(Expect.class, () -> new Expect(random.nextInt(), text()));
        messages.put(OperationRequest.class, () -> request(oneOf(operations).get()));
        messages.put(OperationReply.class, () -> reply(oneOf(replies).get()));
    }

    /** One message of every type, and one for every operation and reply. */
    List<Message> each() {
        List<Message> each = new ArrayList<>();
        messages.values().forEach(message -> each.add(message.get()));
        operations.values().forEach(operation -> each.add(request(operation.get())));
        replies.values().forEach(reply -> each.add(reply(reply.get())));
        return each;
    }

    private List<Lend.Instance> lent() {
        return Stream.generate(() -> new Lend.Instance(random.nextLong(), random.nextInt(), text(), random.nextLong()))
                .limit(random.nextInt(40))
                .toList();
    }

    private Forward forward() {
        Message message = random.nextBoolean()
                ? new Bind(text())
                : request(oneOf(operations).get());
        return new Forward(random.nextLong(), random.nextLong(), message);
    }

    private OperationRequest request(Operation<?> operation) {
        RequestId id = new RequestId(
                random.nextLong(), random.nextLong(), random.nextInt(RequestId.MAX_SLOTS), random.nextLong());
        return new OperationRequest(
                random.nextInt(), id, random.nextInt(), random.nextLong(), operation, random.nextInt(-1, 3));
    }

    private OperationReply reply(Reply reply) {
        return new OperationReply(random.nextInt(), random.nextLong(), random.nextBoolean(), reply);
    }

    private byte[] receipt(@Nullable Block block) {
        byte[] receipt = new byte[32];
        random.nextBytes(receipt);
        return block == null || random.nextBoolean() ? BlockOperation.NO_RECEIPT : receipt;
    }

    private Block block() {
        return new Block(random.nextLong(), random.nextLong(), random.nextInt(1 << 20), random.nextInt());
    }

    private LocatedBlock locatedBlock() {
        List<DatanodeAddress> datanodes = Stream.generate(
                        () -> new DatanodeAddress("d" + text(), "h" + text(), random.nextInt(1, 65_536)))
                .limit(random.nextInt(3))
                .toList();
        return datanodes.isEmpty()
                ? new LocatedBlock(
                        block(),
                        random.nextInt(1 << 20),
                        text(),
                        text(),
                        new DirectAccess(text(), Map.of("h" + text(), text()), block()))
                : new LocatedBlock(block(), random.nextInt(1 << 20), text(), text(), datanodes, bytes());
    }

    private List<LocatedBlock> located() {
        return Stream.generate(this::locatedBlock).limit(random.nextInt(4)).toList();
    }

    private OpenFile openFile() {
        return new OpenFile(random.nextLong(), random.nextInt(3));
    }

    private FileOperation.Create create() {
        FileOperation.@Nullable Imported imported =
                optional(new FileOperation.Imported(random.nextLong(), random.nextLong()));
        return new FileOperation.Create(
                path(),
                mode(),
                mode(),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextInt(1, 513),
                random.nextLong(1, Long.MAX_VALUE),
                imported == null ? bytes() : optional(bytes()),
                imported);
    }

    private Attributes attributes() {
        return new Attributes(
                text(),
                random.nextLong(),
                new INode.Traits(
                        oneOf(INode.Kind.values()),
                        text(),
                        text(),
                        mode(),
                        random.nextInt(),
                        random.nextLong(),
                        oneOf(INode.Content.values()),
                        0,
                        optional(Acl.UNTOLD),
                        "",
                        0),
                random.nextLong(),
                random.nextLong(),
                random.nextLong(),
                random.nextLong());
    }

    private List<AclEntry> entries() {
        return Stream.generate(() -> new AclEntry(
                        random.nextBoolean(),
                        random.nextBoolean() ? AclEntry.Type.USER : AclEntry.Type.GROUP,
                        "n" + random.nextInt(9),
                        random.nextInt(8)))
                .limit(random.nextInt(5))
                .toList();
    }

    private BlockOperation.Concat concat() {
        FsPath directory = path();
        return new BlockOperation.Concat(
                directory.child("f"), List.of(directory.child("g" + text()), directory.child("h" + text())));
    }

    private SeenFile seen() {
        return new SeenFile(random.nextLong(), random.nextLong(), random.nextLong());
    }

    private FsPath path() {
        FsPath path = FsPath.ROOT;
        for (int depth = random.nextInt(6); depth > 0; depth--) {
            path = path.child("n" + text());
        }
        return path;
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        IntStream.range(0, random.nextInt(12)).forEach(i -> text.append(oneOf(ALPHABET)));
        return text.toString();
    }

    private byte[] bytes() {
        byte[] bytes = new byte[random.nextInt(50)];
        random.nextBytes(bytes);
        return bytes;
    }

    private int mode() {
        return random.nextInt(INode.MAX_MODE + 1);
    }

    private <T> @Nullable T optional(T value) {
        return random.nextBoolean() ? value : null;
    }

    private <T> T oneOf(T[] values) {
        return values[random.nextInt(values.length)];
    }

    private <T> T oneOf(Map<?, T> values) {
        return List.copyOf(values.values()).get(random.nextInt(values.size()));
    }
}
