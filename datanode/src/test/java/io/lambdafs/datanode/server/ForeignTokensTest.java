package io.lambdafs.datanode.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.datanode.local.LocalBlockStore;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.block.Block;
import io.lambdafs.model.block.ObjectKey;
import io.lambdafs.model.testkit.Waits;
import io.lambdafs.rpc.Connection;
import io.lambdafs.rpc.ConnectionHandler;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.block.AbortWrite;
import io.lambdafs.rpc.block.BlockBytes;
import io.lambdafs.rpc.block.BlockMessages;
import io.lambdafs.rpc.block.BlockToken;
import io.lambdafs.rpc.block.BlockTokens;
import io.lambdafs.rpc.block.FinishForReceipt;
import io.lambdafs.rpc.block.FinishWrite;
import io.lambdafs.rpc.block.OpenWrite;
import io.lambdafs.rpc.block.ReadBlock;
import io.lambdafs.rpc.block.ReadPieces;
import io.lambdafs.rpc.block.Seal;
import io.lambdafs.rpc.block.WriteChunk;
import io.lambdafs.rpc.block.WriteFinished;
import io.lambdafs.rpc.block.WriteOpened;
import io.lambdafs.rpc.message.Done;
import io.lambdafs.rpc.message.Failed;
import io.lambdafs.rpc.message.Message;
import io.lambdafs.rpc.netty.NettyTransport;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Everything that a datanode can be asked, by those whose token it must not take: each message that carries a token with each token that is another's, and
 * each message that names a write with the number of a write that another connection has opened. Nobody asks a datanode to delete a block, or to report one:
 * it does so by the rows of the store.
 */
class ForeignTokensTest {
    private static final String STORE = "blocks";
    private static final long NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final byte[] CONTENT = new byte[Seal.GRANULE];
    private static final int CRC = Seal.crc(CONTENT, 0, CONTENT.length);
    private static final Block WRITTEN = new Block(1, 1, CONTENT.length, CRC);
    private static final String KEY = ObjectKey.of(1, 1, 1);

    @TempDir
    Path folder;

    private final BlockTokens tokens = BlockTokens.of(Secret.of("a cluster"), InstantSource.system());
    private final SystemScheduler scheduler = new SystemScheduler("datanode", 8, 10_000);
    private final NettyTransport serving =
            new NettyTransport(BlockMessages.codec(), 1, "datanode-io", ServerLimits.transport());
    private final NettyTransport calling =
            new NettyTransport(BlockMessages.codec(), 1, "client-io", TransportLimits.DEFAULT);
    private DatanodeServer server;

    @BeforeEach
    void start() {
        server = DatanodeServer.start(
                        new DatanodeServer.Context(
                                LocalBlockStore.open(folder, "dn-1"),
                                STORE,
                                tokens,
                                serving,
                                scheduler,
                                ServerLimits.DEFAULT,
                                TransferObserver.NONE),
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .toCompletableFuture()
                .join();
        Connection by = connect();
        long stream = open(by, WRITTEN.id());
        assertThat(ask(by, chunk(stream))).isEqualTo(Done.DONE);
        assertThat(ask(by, finish(stream))).isEqualTo(new WriteFinished(WRITTEN));
    }

    @AfterEach
    void stop() {
        calling.close();
        server.close();
        serving.close();
        scheduler.close();
    }

    private static <T> T done(CompletionStage<T> stage) {
        return Waits.join(stage);
    }

    private Connection connect() {
        Connection connection = done(calling.connect(server.address(), new ConnectionHandler() {
            @Override
            public void request(Connection from, Message message, Consumer<Message> reply) {
                throw new IllegalStateException("a datanode asks nothing");
            }
        }));
        connection.markAuthenticated();
        return connection;
    }

    private static Message ask(Connection on, Message message) {
        return done(on.request(message, NANOS));
    }

    private static long expiry() {
        return System.currentTimeMillis() + 60_000;
    }

    private static BlockToken token(BlockToken.Mode mode, long id, String store, long expiryMillis) {
        Block block = mode == BlockToken.Mode.READ ? WRITTEN : new Block(id, 1, CONTENT.length, 0);
        return new BlockToken(mode, block, store, ObjectKey.of(id, 1, id), expiryMillis);
    }

    private long open(Connection on, long id) {
        byte[] good = tokens.mint(token(BlockToken.Mode.WRITE, id, STORE, expiry()));
        return ((WriteOpened) ask(on, new OpenWrite(good))).stream();
    }

    private static WriteChunk chunk(long stream) {
        return new WriteChunk(stream, 0, CONTENT, CRC);
    }

    private static FinishWrite finish(long stream) {
        return new FinishWrite(stream, CONTENT.length, CRC);
    }

    /** A message that carries a token, and the mode that it wants. */
    private record Verb(BlockToken.Mode mode, Function<byte[], Message> message) {}

    private static final Map<String, Verb> VERBS = Map.of(
            "open a write", new Verb(BlockToken.Mode.WRITE, OpenWrite::new),
            "read", new Verb(BlockToken.Mode.READ, token -> new ReadBlock(token, 0, CONTENT.length)),
            "read pieces", new Verb(BlockToken.Mode.READ, token -> new ReadPieces(token, 0, CONTENT.length)));

    /** Messages that name a write. */
    private static final List<LongFunction<Message>> WRITES = List.of(
            ForeignTokensTest::chunk,
            ForeignTokensTest::finish,
            stream -> new FinishForReceipt(stream, CONTENT.length, CRC),
            AbortWrite::new);

    @SuppressWarnings("ArrayRecordComponent") // Not compared.
    private record Foreign(byte[] token, ErrorCode refusal) {}

    /** Each is good but for one thing. */
    private Map<String, Foreign> foreign(BlockToken.Mode mode) {
        long id = mode == BlockToken.Mode.READ ? WRITTEN.id() : 9;
        BlockToken good = token(mode, id, STORE, expiry());
        BlockToken.Mode other = mode == BlockToken.Mode.READ ? BlockToken.Mode.WRITE : BlockToken.Mode.READ;
        InstantSource clock = InstantSource.system();
        Map<String, Foreign> all = new LinkedHashMap<>();
        all.put(
                "signed by another cluster",
                new Foreign(BlockTokens.of(Secret.of("another cluster"), clock).mint(good), ErrorCode.UNAUTHENTICATED));
        all.put(
                "signed by nobody, of a cluster without a secret",
                new Foreign(BlockTokens.of(null, clock).mint(good), ErrorCode.UNAUTHENTICATED));
        byte[] signed = tokens.mint(good);
        byte[] changed = signed.clone();
        changed[changed.length - 33] ^= 1;
        all.put("changed", new Foreign(changed, ErrorCode.UNAUTHENTICATED));
        byte[] receipt = tokens.receipt(good.block(), STORE, good.key());
        all.put("that is a receipt", new Foreign(receipt, ErrorCode.UNAUTHENTICATED));
        for (String store : List.of("others", "Blocks", "block", "blocks2", "")) {
            byte[] ofAnother = tokens.mint(token(mode, id, store, expiry()));
            all.put("for the store '" + store + "'", new Foreign(ofAnother, ErrorCode.INVALID_ARGUMENT));
        }
        all.put(
                "for the other mode",
                new Foreign(tokens.mint(token(other, id, STORE, expiry())), ErrorCode.PERMISSION_DENIED));
        all.put("expired", new Foreign(tokens.mint(token(mode, id, STORE, 1)), ErrorCode.TOKEN_EXPIRED));
        return all;
    }

    @Test
    void shouldRefuseEveryTokenOfAnotherForEveryMessageThatCarriesOne() throws IOException {
        List<String> before = objects();
        VERBS.forEach((verb, asked) -> foreign(asked.mode()).forEach((kind, each) -> {
            Message answer = ask(connect(), asked.message().apply(each.token()));
            assertThat(answer).as("%s with a token %s", verb, kind).isInstanceOf(Failed.class);
            assertThat(((Failed) answer).code())
                    .as("%s with a token %s", verb, kind)
                    .isEqualTo(each.refusal());
        }));
        assertThat(server.openStreams()).isZero();
        assertThat(objects()).isEqualTo(before);
    }

    /** A connection that has shown a good token shows one with every message. */
    @Test
    void shouldRefuseThemOnAConnectionThatHasBroughtAGoodToken() {
        Connection known = connect();
        byte[] good = tokens.mint(token(BlockToken.Mode.READ, WRITTEN.id(), STORE, expiry()));
        VERBS.forEach((verb, asked) -> foreign(asked.mode()).forEach((kind, each) -> {
            assertThat(ask(known, new ReadBlock(good, 0, CONTENT.length))).isInstanceOf(BlockBytes.class);
            Message answer = ask(known, asked.message().apply(each.token()));
            assertThat(answer)
                    .as("%s with a token %s", verb, kind)
                    .isInstanceOfSatisfying(
                            Failed.class, failed -> assertThat(failed.code()).isEqualTo(each.refusal()));
        }));
    }

    /** Their own writes end as if nobody had tried. Aborting is answered alike whether there is something to abort or not. */
    @Test
    void shouldLetNobodyAddToFinishOrAbortAWriteOfAnotherConnection() {
        Connection owner = connect();
        long stream = open(owner, 20);
        Connection other = connect();
        long own = open(other, 21);
        assertNothingDone(other, stream);
        assertThat(ask(owner, chunk(stream))).isEqualTo(Done.DONE);
        assertNothingDone(other, stream);
        assertThat(ask(owner, finish(stream))).isInstanceOf(WriteFinished.class);
        assertThat(folder.resolve(ObjectKey.of(20, 1, 20))).exists();

        assertThat(ask(other, new AbortWrite(own))).isEqualTo(Done.DONE);
        assertThat(ask(other, finish(own))).isInstanceOf(Failed.class);
        assertThat(folder.resolve(ObjectKey.of(21, 1, 21))).doesNotExist();
        assertThat(folder.resolve(KEY)).exists();
    }

    private static void assertNothingDone(Connection other, long stream) {
        for (LongFunction<Message> each : WRITES) {
            Message answer = ask(other, each.apply(stream));
            if (!answer.equals(Done.DONE) || !(each.apply(stream) instanceof AbortWrite)) {
                assertThat(answer)
                        .isInstanceOfSatisfying(
                                Failed.class,
                                failed -> assertThat(failed.code()).isEqualTo(ErrorCode.NOT_FOUND));
            }
        }
    }

    /** A message that is new is asked here, too. */
    @Test
    void shouldAskEveryMessageThatCarriesATokenOrNamesAWrite() throws Exception {
        Set<Class<?>> asked = new HashSet<>();
        VERBS.values()
                .forEach(each -> asked.add(each.message().apply(new byte[0]).getClass()));
        WRITES.forEach(each -> asked.add(each.apply(1).getClass()));
        // The answer that tells the number.
        asked.add(WriteOpened.class);
        assertThat(messages()).isEqualTo(asked);
    }

    @SuppressWarnings("try") // The file system is there for the paths in it.
    private static Set<Class<?>> messages() throws Exception {
        Set<Class<?>> found = new HashSet<>();
        URI place = Objects.requireNonNull(OpenWrite.class.getResource("OpenWrite.class"))
                .toURI();
        try (FileSystem jar = place.getScheme().equals("jar") ? FileSystems.newFileSystem(place, Map.of()) : null;
                Stream<Path> all =
                        Files.list(Objects.requireNonNull(Path.of(place).getParent()))) {
            for (Path each :
                    all.filter(file -> file.toString().endsWith(".class")).toList()) {
                String name = String.valueOf(each.getFileName()).replace(".class", "");
                Class<?> known = Class.forName(OpenWrite.class.getPackageName() + "." + name);
                if (known.isRecord() && Message.class.isAssignableFrom(known)) {
                    for (RecordComponent component : known.getRecordComponents()) {
                        if (Set.of("token", "stream").contains(component.getName())) {
                            found.add(known);
                        }
                    }
                }
            }
        }
        return found;
    }

    /** Without a token of this cluster a connection gets nothing more. */
    @Test
    void shouldCloseAConnectionThatBringsAnothersTokenFirst() {
        Connection stranger = connect();
        byte[] others = foreign(BlockToken.Mode.READ).values().iterator().next().token();
        assertThat(ask(stranger, new ReadBlock(others, 0, 1))).isInstanceOf(Failed.class);
        byte[] good = tokens.mint(token(BlockToken.Mode.READ, WRITTEN.id(), STORE, expiry()));
        assertThatThrownBy(() -> ask(stranger, new ReadBlock(good, 0, 1)))
                .satisfies(thrown -> assertThat(FsException.of(thrown).code()).isEqualTo(ErrorCode.CONNECTION_LOST));
    }

    private List<String> objects() throws IOException {
        try (var all = Files.walk(folder.resolve(KEY).getParent().getParent())) {
            return all.filter(Files::isRegularFile).map(Path::toString).sorted().toList();
        }
    }
}
