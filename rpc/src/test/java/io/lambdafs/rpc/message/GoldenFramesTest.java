package io.lambdafs.rpc.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.operation.OperationKind;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.rpc.tracing.TraceParent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Messages as an earlier version wrote them. They are never made anew: where this test fails, clients and instances of two versions do
 * not understand each other any more. What is missing is a new number, whose frames belong in a file of the version that brings it.
 */
class GoldenFramesTest {
    private static final int LARGEST_KIND = 255;
    private static final int FRAMES_OF_A_KIND = 2;
    private static final int MOST_BYTES = 1_500;
    private static final String RECEIPTS = "receipts.frames";
    private static final Set<Integer> KINDS_WITH_RECEIPTS = Set.of(157, 158);
    private static final String DAMAGED = "damaged.frames";
    private static final Set<Integer> KINDS_OF_DAMAGE = Set.of(159, 136);
    private static final String SUCCESSORS = "successors.frames";
    private static final Set<Integer> KINDS_OF_SUCCESSORS = Set.of(160);
    private static final String TOTALS = "totals.frames";
    private static final Set<Integer> KINDS_OF_TOTALS = Set.of(161, 138);
    private static final String QUOTAS = "quotas.frames";
    private static final Set<Integer> KINDS_OF_QUOTAS = Set.of(162, 163, 139);
    private static final String SEEN = "seen.frames";
    private static final Set<Integer> KINDS_OF_SEEN = Set.of(170, 171);
    private static final String SNAPSHOTS = "snapshots.frames";
    private static final Set<Integer> KINDS_OF_SNAPSHOTS = Set.of(164, 165, 140);

    private final Codec codec = RpcMessages.codec();

    /**
     * Returns the frames of every version: of the first format, of changing numbers of deployments, of 0.1.0, of
     * receipts of blocks, of lists of damaged files, of leases replaced by name, of totals, of quotas, of files that were
     * seen, and of snapshots.
     */
    static List<GoldenFrames.Frame> frames() {
        return Stream.of(
                        "format-1.frames",
                        "generations.frames",
                        "0.1.0.frames",
                        RECEIPTS,
                        DAMAGED,
                        SUCCESSORS,
                        TOTALS,
                        QUOTAS,
                        SEEN,
                        SNAPSHOTS)
                .flatMap(file -> GoldenFrames.read(GoldenFramesTest.class, file).stream())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("frames")
    void shouldReadWhatWasWrittenAndWriteItAgain(GoldenFrames.Frame frame) {
        GoldenFrames.check(codec, frame);
    }

    @Test
    void shouldHaveAFrameOfEveryMessage() {
        assertThat(GoldenFrames.numbersOf(frames())).isEqualTo(GoldenFrames.numbers(codec));
    }

    @Test
    void shouldHaveAFrameOfEveryFormOfAnOperationAndOfAReply() {
        Set<Integer> operations = new TreeSet<>();
        Set<Integer> replies = new TreeSet<>();
        for (GoldenFrames.Frame frame : frames()) {
            int kind = kind(codec.read(new WireReader(frame.bytes())));
            if (frame.name().startsWith("OperationRequest")) {
                operations.add(kind);
            } else if (frame.name().startsWith("OperationReply")) {
                replies.add(kind);
            }
        }

        assertThat(operations)
                .hasSizeGreaterThan(30)
                .isEqualTo(GoldenFrames.accepted(
                        LARGEST_KIND, "unknown operation", kind -> OperationKind.read(kind, path())));
        assertThat(replies)
                .hasSizeGreaterThan(10)
                .isEqualTo(GoldenFrames.accepted(
                        LARGEST_KIND,
                        "unknown reply",
                        kind -> ReplyWire.read(new WireReader(new byte[] {(byte) kind}))));
    }

    @Test
    void shouldHaveATracedRequest() {
        assertThat(frames())
                .anyMatch(frame -> codec.read(new WireReader(frame.bytes())) instanceof OperationRequest request
                        && request.trace() != null);
    }

    private static WireReader path() {
        WireWriter out = new WireWriter();
        out.writeString("/");
        return new WireReader(out.toByteArray());
    }

    /** The number of the form of the operation or the reply inside a message; 0 in another one. */
    private static int kind(Message message) {
        WireWriter out = new WireWriter();
        if (message instanceof OperationRequest request) {
            request.operation().write(out);
        } else if (message instanceof OperationReply reply) {
            ReplyWire.write(out, reply.reply());
        } else {
            return 0;
        }
        return out.toByteArray()[0] & 0xff;
    }

    /** Two of every kind: see {@link GoldenFrames}. */
    @Test
    @EnabledIfSystemProperty(named = GoldenFrames.WRITE, matches = ".+")
    void writeFrames() throws IOException {
        List<Message> messages = new ArrayList<>();
        Map<String, Integer> counts = new HashMap<>();
        for (int seed = 0; seed < 200; seed++) {
            for (Message message : new RandomMessages(new Random(seed)).each()) {
                boolean fits = GoldenFrames.bytes(codec, message).length <= MOST_BYTES;
                if (fits && counts.merge(name(message), 1, Integer::sum) <= FRAMES_OF_A_KIND) {
                    messages.add(message);
                }
            }
        }
        OperationRequest request = (OperationRequest) messages.stream()
                .filter(OperationRequest.class::isInstance)
                .findFirst()
                .orElseThrow();
        messages.add(request.below(new TraceParent(1, 2, 3)));
        TreeMap<String, byte[]> xattrs = new TreeMap<>(Map.of("user.a", new byte[] {1, 2}, "user.ß", new byte[0]));
        messages.add(new OperationReply(3, 9, false, new Reply.Xattrs(xattrs)));
        GoldenFrames.write("0.1.0.frames", codec, messages);
        writeOf(KINDS_WITH_RECEIPTS, RECEIPTS, messages);
        writeOf(KINDS_OF_DAMAGE, DAMAGED, messages);
        writeOf(KINDS_OF_SUCCESSORS, SUCCESSORS, messages);
        writeOf(KINDS_OF_TOTALS, TOTALS, messages);
        writeOf(KINDS_OF_QUOTAS, QUOTAS, messages);
        writeOf(KINDS_OF_SEEN, SEEN, messages);
        writeOf(KINDS_OF_SNAPSHOTS, SNAPSHOTS, messages);
    }

    private void writeOf(Set<Integer> kinds, String file, List<Message> messages) throws IOException {
        GoldenFrames.write(
                file,
                codec,
                messages.stream().filter(each -> kinds.contains(kind(each))).toList());
    }

    private static String name(Message message) {
        return GoldenFrames.name(message) + kind(message);
    }
}
