package io.lambdafs.coordinator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.lambdafs.coordinator.CoordinatorContract;
import io.lambdafs.coordinator.Mailboxes;
import io.lambdafs.coordinator.testkit.Channels;
import io.lambdafs.coordinator.testkit.Environment;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.time.Times;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class StoreCoordinatorTest extends CoordinatorContract {
    private StoreEnvironment simulation;

    @Override
    protected Environment createEnvironment() {
        simulation = new StoreEnvironment(1, Channels.DIRECT);
        return simulation;
    }

    private List<Row> letters(long box) {
        StoreTransaction look = environment.store().begin(0);
        List<Row> rows = await(look.scan(new Scan(Schema.LETTERS, box, null, 100)));
        look.abort();
        return rows;
    }

    @Test
    void shouldEndAMemberWhoseRenewalsHaveStopped() {
        await(one.register(member(1)));
        await(two.register(member(2)));
        two.watch(view -> {});
        for (int i = 0; i < 50; i++) {
            simulation.pass(Duration.ofMillis(100));
            await(two.renew(2));
        }

        assertThat(await(two.members()).absent()).containsExactly(1L);
        assertFails(one.renew(1), ErrorCode.FENCED);
        assertThatCode(() -> await(two.renew(2))).doesNotThrowAnyException();
    }

    @Test
    void shouldNotEndAMemberBeforeASessionHasPassed() {
        await(one.register(member(1)));
        two.watch(view -> {});

        simulation.pass(Times.DEFAULT.session().minusMillis(50));

        assertThat(await(two.members()).absent()).isEmpty();
        assertThatCode(() -> await(one.renew(1))).doesNotThrowAnyException();
    }

    @Test
    void shouldNotCallAMemberAbsentThatRenewedAfterItWasLookedAt() {
        two.watch(view -> {});
        for (long epoch = 1; epoch <= 70; epoch++) {
            await(one.register(member(epoch)));
            simulation.pass(Times.DEFAULT.session().minusMillis(10).plusMillis(2 * epoch));

            // Its counter is perhaps just found to stand still while this renewal is on its way.
            CompletionStage<Void> renewal = one.renew(epoch);
            environment.await("ends", () -> renewal.toCompletableFuture().isDone());
            simulation.pass(Duration.ofMillis(200));

            boolean renewed = !renewal.toCompletableFuture().isCompletedExceptionally();
            assertThat(renewed && await(two.members()).absent().contains(epoch))
                    .as("epoch %s is renewed and absent", epoch)
                    .isFalse();
            await(two.forget(epoch));
        }
    }

    @Test
    void shouldRefuseThoughARenewalFrozeHalfWay() {
        await(one.register(member(1)));
        StoreTransaction frozen = environment.store().begin(MemberRow.lease(1));
        await(frozen.read(List.of(Read.shared(MemberRow.leaseKey(1))), 0));
        long from = simulation.clock().nanoTime();

        await(two.refuseRenewals(1));

        assertThat(Duration.ofNanos(simulation.clock().nanoTime() - from)).isLessThan(Duration.ofMillis(20));
        assertFails(frozen.commit(List.of(MemberRow.renewed(1)), Long.MAX_VALUE), ErrorCode.FENCED);
    }

    @Test
    void shouldNotBringBackAForgottenMemberByARenewal() {
        await(one.register(member(1)));
        CompletionStage<Void> renewal = one.renew(1);

        await(two.forget(1));
        environment.await("ends", () -> renewal.toCompletableFuture().isDone());

        assertThat(await(two.members()).members()).isEmpty();
    }

    @Test
    void shouldRemoveLettersOfASenderThatCrashed() {
        await(two.register(member(2)));
        Mailboxes.Letter letter = new Mailboxes.Letter(2, "crashed-1");
        two.mailboxes().follow(Set.of(2L), (found, content) -> two.mailboxes().reply(found, content));
        await(one.mailboxes().post(letter, new byte[] {1}));
        // Nobody takes the answer.
        environment.await("it is answered", () -> letters(2).stream().anyMatch(LetterRow::isAnswered));

        environment.await("it is removed", () -> letters(2).isEmpty());
    }

    /** A coordinator over the store itself, or over one that a test has put in front of it. */
    private StoreCoordinator over(MetadataStore store) {
        return new StoreCoordinator(store, simulation.clock(), Times.DEFAULT);
    }

    /** The store, with something that happens before each fence. */
    private MetadataStore fencedAfter(Runnable step) {
        return new MetadataStore() {
            @Override
            public StoreTransaction begin(long epoch) {
                return simulation.store().begin(epoch);
            }

            @Override
            public CompletionStage<Void> fence(long epoch) {
                step.run();
                return simulation.store().fence(epoch);
            }

            @Override
            public void close() {}
        };
    }

    @Test
    void shouldNotCallAMemberAbsentThatRenewedJustBeforeItsRenewalsWereRefused() {
        await(one.register(member(1)));
        StoreCoordinator direct = over(simulation.store());
        List<Long> renewed = new ArrayList<>();
        StoreCoordinator watching = over(fencedAfter(() -> {
            direct.renew(1).thenRun(() -> renewed.add(1L));
            simulation.clock().run();
        }));
        watching.watch(view -> {});
        simulation.pass(Times.DEFAULT.session().plusMillis(300));

        assertThat(renewed).isNotEmpty();
        assertThat(await(two.members()).absent()).isEmpty();
        watching.close();
    }

    @Test
    void shouldForgetALetterOnlyWhenNobodyIsWritingToIt() {
        await(two.register(member(2)));
        Mailboxes.Letter letter = new Mailboxes.Letter(2, "one-1");
        await(one.mailboxes().post(letter, new byte[] {1}));
        StoreTransaction writing = environment.store().begin(0);
        await(writing.read(List.of(Read.exclusive(LetterRow.key(letter))), 0));

        CompletionStage<Void> forgotten = one.forget(2);
        simulation.pass(Duration.ofMillis(100));
        assertThat(forgotten.toCompletableFuture()).isNotDone();
        writing.abort();
        await(forgotten);
        assertThat(letters(2)).isEmpty();
    }

    @Test
    void shouldEndItsOwnSessionThoughItsMemberIsForgotten() {
        StoreCoordinator coordinator = over(simulation.store());
        await(coordinator.register(member(1)));
        await(two.forget(1));
        await(coordinator.endSession());
        assertThat(await(two.members()).members()).isEmpty();
        coordinator.close();
    }

    @Test
    void shouldDoNothingMoreOnceItIsClosed() {
        int before = simulation.clock().timers();
        StoreCoordinator coordinator = over(simulation.store());
        await(coordinator.register(member(1)));
        coordinator.watch(view -> {});
        coordinator.mailboxes().follow(Set.of(1L), (letter, content) -> {});
        await(coordinator.mailboxes().post(new Mailboxes.Letter(1, "a-1"), new byte[0]));
        coordinator.mailboxes().answer(new Mailboxes.Letter(1, "a-1"));
        simulation.pass(Duration.ofMillis(200));
        assertThat(simulation.clock().timers()).isGreaterThan(before);

        coordinator.close();
        simulation.pass(Times.DEFAULT.transaction());
        assertThat(simulation.clock().timers()).as("timers left").isLessThanOrEqualTo(before);
        assertThat(await(two.members()).absent()).containsExactly(1L);
        assertFails(coordinator.renew(1), ErrorCode.UNAVAILABLE);
        assertFails(coordinator.mailboxes().post(new Mailboxes.Letter(1, "a-2"), new byte[0]), ErrorCode.UNAVAILABLE);
    }

    @Test
    void shouldListAsManyMembersAsItMayHaveAndNoMore() {
        int most = 10_000;
        StoreCoordinator coordinator = over(simulation.store());
        for (long from = 1; from <= most; from += 1_000) {
            List<Mutation> rows = new ArrayList<>();
            for (long epoch = from; epoch < from + 1_000; epoch++) {
                rows.add(new Mutation.Put(new MemberRow(member(epoch), 0, false).row()));
            }
            write(rows);
        }
        assertThat(await(coordinator.members()).members()).hasSize(most);
        write(List.of(new Mutation.Put(new MemberRow(member(most + 1L), 0, false).row())));
        assertFails(coordinator.members(), ErrorCode.UNAVAILABLE);
        coordinator.close();
    }

    private void write(List<Mutation> rows) {
        StoreTransaction transaction = environment.store().begin(0);
        List<Read> locks = rows.stream()
                .map(row -> Read.exclusive(((Mutation.Put) row).row().key()))
                .toList();
        await(transaction.read(locks, 0));
        await(transaction.commit(rows, Long.MAX_VALUE));
    }
}
