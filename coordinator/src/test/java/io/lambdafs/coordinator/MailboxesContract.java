package io.lambdafs.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.coordinator.testkit.Environment;
import io.lambdafs.coordinator.testkit.ProcessScheduler;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Contract of the {@link Mailboxes} of every coordinator. {@code one} and {@code two} are two processes' sessions with
 * it.
 */
public abstract class MailboxesContract {
    private final List<Coordinator> sessions = new ArrayList<>();
    protected Environment environment;
    protected Coordinator one;
    protected Coordinator two;

    protected abstract Environment createEnvironment() throws Exception;

    @BeforeEach
    void connect() throws Exception {
        environment = createEnvironment();
        one = session();
        two = session();
    }

    @AfterEach
    void disconnect() {
        sessions.forEach(Coordinator::close);
        environment.close();
    }

    protected Coordinator session() {
        Coordinator session = environment.connect(new ProcessScheduler(environment.clock()));
        sessions.add(session);
        return session;
    }

    protected static Member member(long epoch) {
        return new Member(epoch, 3, "instance-" + epoch, "127.0.0.1", 4_000 + (int) epoch, epoch % 2 == 1);
    }

    protected <T> T await(CompletionStage<T> stage) {
        return environment.await(stage);
    }

    protected void assertFails(CompletionStage<?> stage, ErrorCode code) {
        assertThatThrownBy(() -> await(stage))
                .satisfies(failure -> assertThat(FsException.of(failure).code()).isEqualTo(code));
    }

    private static Mailboxes.Letter letter(long box, int number) {
        return new Mailboxes.Letter(box, "sender-" + number);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Reads letters and answers each with its own content twice over. */
    private List<String> echo(Coordinator reading, long box) {
        List<String> read = new CopyOnWriteArrayList<>();
        reading.mailboxes().follow(Set.of(box), (letter, content) -> {
            String text = new String(content, StandardCharsets.UTF_8);
            read.add(text);
            reading.mailboxes().reply(letter, bytes(text + text));
        });
        return read;
    }

    @Test
    void shouldCarryALetterAndItsAnswer() {
        await(two.register(member(2)));
        List<String> read = echo(two, 2);

        await(one.mailboxes().post(letter(2, 1), bytes("hi")));
        byte[] answer = await(one.mailboxes().answer(letter(2, 1)));

        assertThat(answer).isEqualTo(bytes("hihi"));
        assertThat(read).containsOnly("hi");
    }

    @Test
    void shouldHandOverWhatWasThereBefore() {
        await(two.register(member(2)));
        for (int i = 0; i < 20; i++) {
            await(one.mailboxes().post(letter(2, i), bytes("letter " + i)));
        }

        List<String> read = echo(two, 2);

        environment.await("all are read", () -> Set.copyOf(read).size() == 20);
    }

    @Test
    void shouldCarryTheLongestLetter() {
        await(two.register(member(2)));
        byte[] longest = new byte[Mailboxes.MAX_BYTES];
        Arrays.fill(longest, (byte) 'x');
        List<Integer> lengths = new CopyOnWriteArrayList<>();
        two.mailboxes().follow(Set.of(2L), (letter, content) -> {
            lengths.add(content.length);
            two.mailboxes().reply(letter, content);
        });

        await(one.mailboxes().post(letter(2, 1), longest));

        assertThat(await(one.mailboxes().answer(letter(2, 1)))).isEqualTo(longest);
        assertThat(lengths).containsOnly(longest.length);
    }

    @Test
    void shouldRefuseALetterToNobody() {
        assertFails(one.mailboxes().post(letter(9, 1), bytes("hi")), ErrorCode.UNAVAILABLE);
    }

    @Test
    void shouldForgetABoxWithItsLetters() {
        await(two.register(member(2)));
        for (int i = 0; i < 40; i++) {
            await(one.mailboxes().post(letter(2, i), bytes("letter")));
        }

        await(one.forget(2));

        assertThat(await(one.members()).members()).isEmpty();
        assertFails(one.mailboxes().post(letter(2, 99), bytes("hi")), ErrorCode.UNAVAILABLE);
        await(two.register(member(2)));
        List<String> read = echo(two, 2);
        await(one.mailboxes().post(letter(2, 100), bytes("only")));
        environment.await("the only one is read", () -> !read.isEmpty());
        assertThat(read).containsOnly("only");
    }

    @Test
    void shouldNotBringBackALetterByAnAnswer() {
        await(two.register(member(2)));
        await(one.mailboxes().post(letter(2, 1), bytes("hi")));
        one.mailboxes().remove(letter(2, 1));
        List<String> read = new CopyOnWriteArrayList<>();
        await(one.mailboxes().post(letter(2, 2), bytes("marker")));

        await(two.mailboxes().reply(letter(2, 1), bytes("late")));
        two.mailboxes().follow(Set.of(2L), (letter, content) -> read.add(new String(content, StandardCharsets.UTF_8)));

        environment.await("the marker is read", () -> read.contains("marker"));
        assertThat(read).containsOnly("marker");
    }

    @Test
    void shouldStopHandingOverWhatIsNotFollowed() {
        await(two.register(member(2)));
        await(two.register(member(3)));
        List<String> before = echo(two, 2);
        List<String> after = echo(two, 3);

        await(one.mailboxes().post(letter(2, 1), bytes("unread")));
        await(one.mailboxes().post(letter(3, 1), bytes("read")));
        environment.await("3 is read", () -> !after.isEmpty());

        assertThat(before).isEmpty();
    }

    @Test
    void shouldHandOverNoMoreOnceItsReaderHasTurnedAway() {
        await(two.register(member(2)));
        await(two.register(member(3)));
        for (int i = 0; i < 20; i++) {
            await(one.mailboxes().post(letter(2, i), bytes("letter " + i)));
        }
        List<String> after = new CopyOnWriteArrayList<>();
        List<String> before = new CopyOnWriteArrayList<>();

        two.mailboxes().follow(Set.of(2L), (letter, content) -> {
            before.add(new String(content, StandardCharsets.UTF_8));
            two.mailboxes().follow(Set.of(3L), (marker, text) -> after.add(new String(text, StandardCharsets.UTF_8)));
        });
        await(one.mailboxes().post(letter(3, 1), bytes("marker")));

        environment.await("the marker is read", () -> !after.isEmpty());
        assertThat(after).containsOnly("marker");
        assertThat(before).hasSize(1);
    }
}
