package io.lambdafs.coordinator.relayed;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.coordinator.Acknowledgement;
import io.lambdafs.coordinator.Coordinator;
import io.lambdafs.coordinator.Greeting;
import io.lambdafs.coordinator.Invalidation;
import io.lambdafs.coordinator.InvalidationChannel;
import io.lambdafs.coordinator.Member;
import io.lambdafs.coordinator.View;
import io.lambdafs.coordinator.testkit.ProcessScheduler;
import io.lambdafs.coordinator.testkit.SimulatedEnvironment;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** From a sender to a receiver of epoch 2, in simulated time. */
class RelayedChannelTest {
    private static final Member TARGET = new Member(2, 0, "receiver", "", 0, true);
    private static final View WITH_TARGET = new View(5, Map.of(2L, TARGET), Set.of());
    private static final long TIMEOUT = Duration.ofMillis(500).toNanos();

    private final SimulatedEnvironment simulation = new SimulatedEnvironment(1);
    private final List<Invalidation> received = new ArrayList<>();
    private RelayedChannel sender;
    private RelayedChannel receiver;

    @BeforeEach
    void open() {
        Coordinator one = simulation.connect(new ProcessScheduler(simulation.clock()));
        Coordinator two = simulation.connect(new ProcessScheduler(simulation.clock()));
        simulation.await(two.register(TARGET));
        sender = new RelayedChannel("sender", one.mailboxes(), simulation.clock());
        receiver = new RelayedChannel("receiver", two.mailboxes(), simulation.clock());
        receiver.open(new InvalidationChannel.Receiver() {
            @Override
            public CompletionStage<Acknowledgement> invalidate(Invalidation invalidation) {
                received.add(invalidation);
                return CompletableFuture.completedFuture(new Acknowledgement(2, true));
            }

            @Override
            public CompletionStage<Acknowledgement> greet(Greeting greeting) {
                return CompletableFuture.completedFuture(new Acknowledgement(2, true));
            }
        });
    }

    private CompletableFuture<Acknowledgement> send(FsPath... entries) {
        return sender.invalidate(
                        TARGET, new Invalidation(1, new Scope(List.of(entries), List.of()), List.of()), TIMEOUT)
                .toCompletableFuture();
    }

    @Test
    void shouldGatherWhatComesWhileALetterIsPosted() {
        receiver.retain(WITH_TARGET);
        List<CompletableFuture<Acknowledgement>> acks = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            acks.add(send(FsPath.of("/f" + i)));
        }
        simulation.pass(Duration.ofMillis(1));

        assertThat(simulation.ensemble().letters()).as("posted so far").isLessThanOrEqualTo(1);
        acks.forEach(simulation::await);
        assertThat(received).hasSize(1_000);
        assertThat(acks).allSatisfy(ack -> assertThat(ack.join()).isEqualTo(new Acknowledgement(2, true)));
    }

    @Test
    void shouldReadOnWhenAnOlderViewComesLate() {
        receiver.retain(WITH_TARGET);
        receiver.retain(new View(4, Map.of(), Set.of()));

        simulation.await(send(FsPath.of("/a")));

        assertThat(received).hasSize(1);
    }

    @Test
    void shouldReadWhatCameBeforeItKnewOfItsMembership() {
        CompletableFuture<Acknowledgement> ack = send(FsPath.of("/a"));
        simulation.pass(Duration.ofMillis(100));
        assertThat(ack).isNotDone();

        receiver.retain(WITH_TARGET);

        assertThat(simulation.await(ack)).isEqualTo(new Acknowledgement(2, true));
    }

    @Test
    void shouldTimeOutWhoDoesNotReadAndTakeTheLetterBack() {
        CompletableFuture<Acknowledgement> ack = send(FsPath.of("/a"));
        simulation.await("ends", ack::isDone);

        assertThat(code(ack)).isEqualTo(ErrorCode.TIMED_OUT);
        simulation.await("taken back", () -> simulation.ensemble().letters() == 0);
    }

    @Test
    void shouldRefuseWhatNoLetterHolds() {
        List<FsPath> paths = Collections.nCopies(20, FsPath.of(("/" + "x".repeat(250)).repeat(20)));

        assertThat(code(send(paths.toArray(FsPath[]::new)))).isEqualTo(ErrorCode.BAD_FRAME);
    }

    @Test
    void shouldNotBlameAMemberThatIsGone() {
        Member gone = new Member(9, 0, "gone", "", 0, true);
        CompletableFuture<Acknowledgement> ack = sender.invalidate(
                        gone, new Invalidation(1, Scope.NONE, List.of()), TIMEOUT)
                .toCompletableFuture();
        simulation.await("ends", ack::isDone);

        assertThat(code(ack)).isEqualTo(ErrorCode.OVERLOADED);
    }

    private static ErrorCode code(CompletableFuture<Acknowledgement> failed) {
        assertThat(failed).isCompletedExceptionally();
        return FsException.of(failed.handle((ack, failure) -> failure).join()).code();
    }
}
