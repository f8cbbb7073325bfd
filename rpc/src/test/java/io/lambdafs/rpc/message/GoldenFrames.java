package io.lambdafs.rpc.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.FsException;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntConsumer;

/**
 * Messages as a version wrote them, one a line: a name that begins with the message's class, and its bytes. A file is written once, when its
 * version is the newest, by a test run with {@code -Dlambdafs.golden.write=DIRECTORY}, and never again. Stateless.
 */
public final class GoldenFrames {
    /** The directory that new files are written to; the tests that write run only where it is set. */
    public static final String WRITE = "lambdafs.golden.write";

    private static final int LARGEST_NUMBER = 999;

    private GoldenFrames() {}

    /** One frame. */
    @SuppressWarnings("ArrayRecordComponent")
    public record Frame(String name, byte[] bytes) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** Returns the frames of a file {@code /golden/NAME} beside a class. */
    public static List<Frame> read(Class<?> beside, String name) {
        try (InputStream in = beside.getResourceAsStream("/golden/" + name)) {
            assertThat(in).as(name).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> line.split(" "))
                    .map(line -> new Frame(line[0], HexFormat.of().parseHex(line[1])))
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Writes a file; the name of a message is its class's. */
    public static void write(String file, Codec codec, List<? extends Message> messages) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Message message : messages) {
            lines.add(name(message) + " " + HexFormat.of().formatHex(bytes(codec, message)));
        }
        write(file, lines);
    }

    /** Writes a file of lines. */
    public static void write(String file, List<String> lines) throws IOException {
        Files.write(written(file), lines);
    }

    /** Returns where a new file is to be written: in a directory named as the module. */
    public static Path written(String file) throws IOException {
        Path module = Path.of("").toAbsolutePath().getFileName();
        return Files.createDirectories(Path.of(System.getProperty(WRITE)).resolve(module))
                .resolve(file);
    }

    /** Returns the name of a message, with the kind of operation or reply inside. */
    static String name(Message message) {
        String name = message.getClass().getSimpleName();
        if (message instanceof OperationRequest request) {
            return name + "." + request.operation().getClass().getSimpleName();
        }
        return message instanceof OperationReply reply
                ? name + "." + reply.reply().getClass().getSimpleName()
                : name;
    }

    /** Reads a frame, and checks that the message is what its name says and is written as it was. */
    public static Message check(Codec codec, Frame frame) {
        Message message = codec.read(new WireReader(frame.bytes()));

        assertThat(message.getClass().getSimpleName()).isEqualTo(frame.name().replaceAll("\\..*", ""));
        assertThat(bytes(codec, message)).isEqualTo(frame.bytes());
        return message;
    }

    static byte[] bytes(Codec codec, Message message) {
        WireWriter out = new WireWriter();
        codec.write(out, message);
        return out.toByteArray();
    }

    /** Returns the numbers of the messages that a codec knows. */
    public static Set<Integer> numbers(Codec codec) {
        return accepted(LARGEST_NUMBER, "unknown message type", number -> {
            WireWriter out = new WireWriter();
            out.writeSize(number);
            codec.read(new WireReader(out.toByteArray()));
        });
    }

    /** Returns the numbers of some frames' messages. */
    public static Set<Integer> numbersOf(List<Frame> frames) {
        Set<Integer> numbers = new TreeSet<>();
        frames.forEach(frame -> numbers.add(number(frame.bytes())));
        return numbers;
    }

    private static int number(byte[] frame) {
        int number = 0;
        int place = 0;
        do {
            number |= (frame[place] & 0x7f) << (7 * place);
        } while (frame[place++] < 0);
        return number;
    }

    /** Returns the numbers up to {@code largest} that a reader does not call unknown, whatever else it finds wrong. */
    static Set<Integer> accepted(int largest, String unknown, IntConsumer reader) {
        Set<Integer> numbers = new TreeSet<>();
        for (int number = 1; number <= largest; number++) {
            try {
                reader.accept(number);
                numbers.add(number);
            } catch (FsException e) {
                if (!String.valueOf(e.getMessage()).contains(unknown)) {
                    numbers.add(number);
                }
            }
        }
        return numbers;
    }
}
