package io.lambdafs.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.client.block.MemoryDatanodes;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.http.Invocation;
import io.lambdafs.client.http.Invoker;
import io.lambdafs.client.runtime.ClientRuntime;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.LocatedBlock;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.rpc.message.OperationReply;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A client, and one file, whose functions and datanodes are in memory. All is done on the calling thread; short waits go by at once. Not
 * thread-safe.
 */
final class FileFixture implements Invoker, AutoCloseable {
    static final FsPath PATH = FsPath.of("/d/f");
    static final long ID = 42;
    static final long DIRECTORY = 9;
    static final long GENERATION = 7;
    static final int BLOCK_BYTES = 1 << 20;

    private static final long SHORT_NANOS = TimeUnit.SECONDS.toNanos(5);

    final ManualScheduler scheduler = new ManualScheduler() {
        @Override
        public Timer schedule(long delayNanos, Runnable task) {
            if (delayNanos > SHORT_NANOS) {
                return super.schedule(delayNanos, task);
            }
            advance(delayNanos);
            task.run();
            return () -> {};
        }
    };
    final MemoryDatanodes datanodes = new MemoryDatanodes();
    final LambdaFs fs;

    /** Answers in place of the service; null leaves it to the service. */
    Function<Operation<?>, @Nullable Reply> hook = operation -> null;

    final List<Operation<?>> asked = new ArrayList<>();
    final List<Block> blocks = new ArrayList<>();
    byte @Nullable [] inline;
    boolean isComplete;
    int ports = 2;
    private long lastBlock = 100;

    FileFixture() {
        ClientConfig config = ClientConfig.builder()
                .gateway(URI.create("http://127.0.0.1:1"))
                .deployments(1)
                .user("alice")
                .groups(List.of("staff"))
                .insecure(true)
                .tcpEnabled(false)
                .times(ClientFixture.TIMES)
                .build();
        ClientRuntime runtime =
                ClientRuntime.of(new ClientRuntime.Context(scheduler, kind -> datanodes, new Random(1)));
        fs = LambdaFs.open(config, runtime, this);
    }

    static Attributes attributes(long id, long size, INode.Content content) {
        return new Attributes(
                "f",
                id,
                new INode.Traits(INode.Kind.FILE, "alice", "staff", 0644, 1, BLOCK_BYTES, content),
                size,
                1,
                1,
                0);
    }

    @Override
    public CompletionStage<Optional<OperationReply>> invoke(Invocation invocation) {
        Operation<?> operation = Objects.requireNonNull(invocation.request()).operation();
        asked.add(operation);
        Reply instead = hook.apply(operation);
        Reply reply = instead != null ? instead : serve(operation);
        return CompletableFuture.completedFuture(Optional.of(new OperationReply(0, 0, false, reply)));
    }

    @Override
    public boolean hasReached() {
        return true;
    }

    private Reply serve(Operation<?> operation) {
        if (operation instanceof FileOperation.Create) {
            return new Reply.Status(attributes(ID, 0, INode.Content.NONE), DIRECTORY);
        }
        if (operation instanceof FileOperation.Complete complete) {
            inline = complete.content();
            isComplete = true;
            return new Reply.Status(attributes(ID, complete.content().length, INode.Content.INLINE));
        }
        if (operation instanceof BlockOperation.AddBlock add) {
            tell(add.previous(), add.receipt(), add.index());
            long generation = add.generation() == 0 ? GENERATION : add.generation();
            return new Reply.BlockAdded(located(new Block(++lastBlock, generation, BLOCK_BYTES, 0), length()));
        }
        if (operation instanceof BlockOperation.CompleteBlocks complete) {
            tell(complete.last(), complete.receipt(), complete.blocks());
            isComplete = true;
            return new Reply.Status(attributes(ID, length(), INode.Content.BLOCKS));
        }
        if (operation instanceof ReadOperation.Open open) {
            return opened(open.offset());
        }
        return Reply.Done.YES;
    }

    private void tell(@Nullable Block block, byte[] receipt, int index) {
        assertThat(receipt).isEqualTo(receipt(block));
        if (block != null && blocks.size() == index - 1) {
            blocks.add(block);
        }
    }

    /** Returns the receipt of a block's datanode. */
    static byte[] receipt(@Nullable Block block) {
        return block == null ? BlockOperation.NO_RECEIPT : MemoryDatanodes.receipt(block);
    }

    private long length() {
        return blocks.stream().mapToLong(Block::length).sum();
    }

    LocatedBlock located(Block block, long offset) {
        int[] all = new int[ports];
        for (int i = 0; i < ports; i++) {
            all[i] = i + 1;
        }
        return MemoryDatanodes.located(block, offset, all);
    }

    /** The file with its blocks from the one on in which an offset is. */
    Reply.Opened opened(long from) {
        List<LocatedBlock> located = new ArrayList<>();
        long offset = 0;
        for (Block block : blocks) {
            if (offset + block.length() > from) {
                located.add(located(block, offset));
            }
            offset += block.length();
        }
        return new Reply.Opened(attributes(ID, offset, INode.Content.BLOCKS), null, located);
    }

    /** Puts content into blocks, as if a writer had done so. */
    void store(byte[] content, int blockBytes) {
        for (int at = 0; at < content.length; at += blockBytes) {
            byte[] part = Arrays.copyOfRange(content, at, Math.min(content.length, at + blockBytes));
            Block block = new Block(++lastBlock, GENERATION, part.length, 0);
            blocks.add(block);
            datanodes.blocks.put(block.label(), part);
        }
    }

    /** Returns the content of the reported blocks. */
    byte[] content() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        blocks.forEach(block -> all.writeBytes(datanodes.blocks.get(block.label())));
        return all.toByteArray();
    }

    /** Returns the requests of one kind, in order. */
    <O extends Operation<?>> List<O> asked(Class<O> kind) {
        return asked.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    static <T> T get(CompletionStage<T> stage) {
        return ClientFixture.get(stage);
    }

    @Override
    public void close() {
        fs.close();
    }
}
