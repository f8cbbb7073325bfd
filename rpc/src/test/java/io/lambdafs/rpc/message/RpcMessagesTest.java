package io.lambdafs.rpc.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.OperationKind;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.operation.RequestId;
import io.lambdafs.rpc.Transport;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class RpcMessagesTest {
    private static final Set<ErrorCode> REFUSALS =
            EnumSet.of(ErrorCode.BAD_FRAME, ErrorCode.INVALID_PATH, ErrorCode.INVALID_ARGUMENT);

    private final Codec codec = RpcMessages.codec();

    private byte[] encode(Message message) {
        WireWriter out = new WireWriter(1);
        codec.write(out, message);
        return out.toByteArray();
    }

    private Message decode(byte[] bytes) {
        return codec.read(new WireReader(bytes));
    }

    @Test
    void shouldReadBackWhatItWrote() {
        for (int seed = 0; seed < 300; seed++) {
            for (Message message : new RandomMessages(new Random(seed)).each()) {
                byte[] bytes = encode(message);

                Message read = decode(bytes);

                assertThat(read)
                        .as("seed %d", seed)
                        .hasSameClassAs(message)
                        .usingRecursiveComparison()
                        .isEqualTo(message);
                assertThat(encode(read)).as("seed %d", seed).isEqualTo(bytes);
            }
        }
    }

    @Test
    void shouldCoverEveryOperationReplyAndMessage() throws Exception {
        RandomMessages random = new RandomMessages(new Random(1));

        assertThat(random.operations.values().stream()
                        .map(operation -> operation.get().kind())
                        .toList())
                .containsExactlyInAnyOrder(OperationKind.values());
        assertThat(random.replies.keySet()).containsExactlyInAnyOrder(Reply.class.getPermittedSubclasses());
        assertThat(random.messages.keySet()).containsExactlyInAnyOrderElementsOf(messagesOfThePackage());
    }

    /** But {@link Charged}, which no wire carries. */
    private static Set<Class<?>> messagesOfThePackage() throws Exception {
        URI classes = Message.class.getResource("Message.class").toURI();
        Set<Class<?>> found = new HashSet<>();
        try (Stream<Path> files = Files.list(Path.of(classes).getParent())) {
            for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
                String name = file.getFileName().toString().replace(".class", "");
                Class<?> type = Class.forName(Message.class.getPackageName() + "." + name);
                if (Message.class.isAssignableFrom(type) && !type.isInterface() && type != Charged.class) {
                    found.add(type);
                }
            }
        }
        return found;
    }

    @Test
    void shouldRefuseEveryMessageCutShort() {
        for (int seed = 0; seed < 50; seed++) {
            for (Message message : new RandomMessages(new Random(seed)).each()) {
                byte[] bytes = encode(message);
                for (int length = 0; length < bytes.length; length++) {
                    int cut = length;
                    assertThatThrownBy(() -> codec.read(new WireReader(bytes, 0, cut)))
                            .as("seed %d, %s cut to %d bytes", seed, message, cut)
                            .isInstanceOfSatisfying(
                                    FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_FRAME));
                }
            }
        }
    }

    @Test
    void shouldRefuseBytesAfterTheMessage() {
        for (Message message : new RandomMessages(new Random(3)).each()) {
            byte[] bytes = encode(message);
            byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);

            assertThatThrownBy(() -> decode(longer)).isInstanceOf(FsException.class);
        }
    }

    @Test
    void shouldMeetChangedBytesWithTypedRefusalsOnly() {
        int refused = 0;
        for (int seed = 0; seed < 400; seed++) {
            Random random = new Random(seed);
            for (Message message : new RandomMessages(random).each()) {
                byte[] bytes = encode(message);
                for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
                }
                try {
                    assertThat(decode(bytes)).isNotNull();
                } catch (FsException e) {
                    refused++;
                    assertThat(REFUSALS).as("seed %d: %s", seed, e).contains(e.code());
                }
            }
        }
        assertThat(refused).isPositive();
    }

    @Test
    void shouldMeetNoiseWithTypedRefusalsOnly() {
        Random random = new Random(5);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[random.nextInt(1, 200)];
            random.nextBytes(bytes);
            bytes[0] = (byte) (random.nextInt(10) == 0 ? bytes[0] : random.nextInt(95, 105));
            try {
                decode(bytes);
            } catch (FsException e) {
                assertThat(REFUSALS).as("message %d: %s", i, e).contains(e.code());
            }
        }
    }

    /** Each is a head, then a length or count of 2,147,483,647, then three bytes. */
    @ParameterizedTest
    @ValueSource(ints = {RpcMessages.BIND, RpcMessages.OPERATION_REQUEST, RpcMessages.OPERATION_REPLY})
    void shouldRefuseLengthsBeyondTheRestBeforeAllocating(int type) {
        WireWriter out = new WireWriter();
        out.writeSize(type);
        if (type == RpcMessages.OPERATION_REQUEST) {
            out.writeInt(1);
            out.writeFixedLong(1);
            out.writeFixedLong(1);
            out.writeInt(0);
            out.writeLong(1);
            out.writeInt(1);
            out.writeLong(1);
            out.writeByte(OperationKind.STAT.number());
        } else if (type == RpcMessages.OPERATION_REPLY) {
            out.writeInt(1);
            out.writeLong(1);
            out.writeBoolean(true);
            out.writeByte(ReplyWire.PAGE);
            out.writeBoolean(true);
        }
        out.writeSize(Integer.MAX_VALUE);
        out.writeByte('a');
        out.writeByte('b');
        out.writeByte('c');
        byte[] bytes = out.toByteArray();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

        long before = threads.getCurrentThreadAllocatedBytes();
        assertThatThrownBy(() -> decode(bytes))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_FRAME));

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(16 << 20);
    }

    @Test
    void shouldRefuseAPageOfMoreEntriesThanAPageHas() {
        Attributes attributes = attributes(0);
        Reply.Page page = new Reply.Page(Collections.nCopies(Operation.MAX_PAGE + 1, attributes), false);

        assertThatThrownBy(() -> decode(encode(new OperationReply(0, 0, false, page))))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_FRAME));
    }

    @Test
    void shouldParsePathsAgainWhenItReads() {
        WireWriter out = new WireWriter();
        codec.write(
                out,
                new OperationRequest(1, new RequestId(1, 2, 3, 4), 1, 5, new ReadOperation.Stat(FsPath.of("/aaa/bb"))));
        String text = new String(out.toByteArray(), StandardCharsets.ISO_8859_1);
        byte[] climbing = text.replace("/aaa/bb", "/aaa/..").getBytes(StandardCharsets.ISO_8859_1);

        assertThatThrownBy(() -> decode(climbing))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_PATH));
    }

    @Test
    void shouldFitALargestPageIntoAFrame() {
        List<Attributes> entries = IntStream.range(0, Operation.MAX_PAGE)
                .mapToObj(RpcMessagesTest::attributes)
                .toList();

        byte[] bytes = encode(new OperationReply(0, 1, true, new Reply.Page(entries, true)));

        assertThat(bytes.length).isLessThan(Transport.MAX_FRAME);
        assertThat(bytes.length / Operation.MAX_PAGE).isLessThan(80);
    }

    private static Attributes attributes(int i) {
        return new Attributes(
                "a-file-with-a-name-of-usual-length-" + i,
                1_000 + i,
                new INode.Traits(INode.Kind.FILE, "owner" + i % 3, "group", 0644, 3, 128 << 20, INode.Content.INLINE),
                10_000L * i,
                1_700_000_000_000L + 7L * i,
                1_700_000_100_000L,
                0);
    }

    @Test
    void shouldKeepManyOwnersApart() {
        List<Attributes> entries = IntStream.range(0, 500)
                .mapToObj(i -> new Attributes(
                        "n" + i,
                        i,
                        new INode.Traits(INode.Kind.FILE, "o" + i % 170, "g" + i, 0, 1, 1, INode.Content.NONE),
                        0,
                        0,
                        0,
                        0))
                .toList();
        OperationReply reply = new OperationReply(0, 1, true, new Reply.Page(entries, false));

        assertThat(decode(encode(reply))).isEqualTo(reply);
    }

    @Test
    void shouldNotShowSecretsAsText() {
        assertThat(new Bind("hush").toString()).doesNotContain("hush");
        assertThat(new Register(1, "i", 2, "hush").toString())
                .doesNotContain("hush")
                .contains("i");
    }
}
