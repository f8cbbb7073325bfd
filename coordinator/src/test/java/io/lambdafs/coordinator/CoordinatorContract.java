package io.lambdafs.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.lambdafs.model.ErrorCode;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Contract of every {@link Coordinator}. */
public abstract class CoordinatorContract extends MailboxesContract {
    @Test
    void shouldListWhatWasRegisteredBeforeTheCall() {
        for (long epoch = 1; epoch <= 5; epoch++) {
            await(one.register(member(epoch)));

            View view = await(two.members());

            assertThat(view.members().values())
                    .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, epoch)
                            .mapToObj(CoordinatorContract::member)
                            .toList());
            assertThat(view.absent()).isEmpty();
        }
    }

    @Test
    void shouldListWhoRegistersAndWhoDidBefore() {
        await(one.register(member(1)));

        View view = await(two.register(member(2)));

        assertThat(view.members()).containsOnlyKeys(1L, 2L);
        assertThat(view.absent()).isEmpty();
    }

    @Test
    void shouldListOneAtLeastForTheOtherOfTwoThatRegisterAtOnce() {
        for (long epoch = 1; epoch <= 40; epoch += 2) {
            CompletionStage<View> ofOne = one.register(member(epoch));
            CompletionStage<View> ofTwo = two.register(member(epoch + 1));

            Set<Long> first = await(ofOne).members().keySet();
            Set<Long> second = await(ofTwo).members().keySet();

            assertThat(first).contains(epoch);
            assertThat(second).contains(epoch + 1);
            assertThat(first.contains(epoch + 1) || second.contains(epoch))
                    .as("%s and %s", first, second)
                    .isTrue();
        }
    }

    @Test
    void shouldReportEveryChangeToAWatch() {
        List<View> views = new CopyOnWriteArrayList<>();
        two.watch(views::add);

        await(one.register(member(1)));
        environment.await("1 is reported", () -> last(views).members().containsKey(1L));
        await(one.register(member(2)));
        environment.await("2 is reported", () -> last(views).members().containsKey(2L));
        await(one.forget(1));
        environment.await("1 is gone", () -> !last(views).members().containsKey(1L));

        assertThat(last(views).members()).containsOnlyKeys(2L);
        assertThat(last(views).members()).containsEntry(2L, member(2));
        assertThat(views.stream().map(View::version)).as("in order").isSorted();
    }

    private static View last(List<View> views) {
        return views.isEmpty() ? View.EMPTY : views.get(views.size() - 1);
    }

    @Test
    void shouldReportToAWatchThatCameLate() {
        await(one.register(member(1)));
        List<View> views = new CopyOnWriteArrayList<>();

        two.watch(views::add);

        environment.await("1 is reported", () -> last(views).members().containsKey(1L));
    }

    @Test
    void shouldRenewUntilRenewalsAreRefused() {
        await(one.register(member(1)));
        assertThatCode(() -> await(one.renew(1))).doesNotThrowAnyException();

        await(two.refuseRenewals(1));

        assertFails(one.renew(1), ErrorCode.FENCED);
        assertFails(one.renew(1), ErrorCode.FENCED);
    }

    @Test
    void shouldKnowAMemberUntilItIsForgotten() {
        await(one.register(member(1)));
        await(two.refuseRenewals(1));
        assertThat(await(two.members()).members()).containsOnlyKeys(1L);

        await(two.forget(1));

        assertThat(await(one.members()).members()).isEmpty();
        assertFails(one.renew(1), ErrorCode.FENCED);
    }

    @Test
    void shouldNotTakeARefusalForTheEndOfASession() {
        await(one.register(member(1)));

        await(two.refuseRenewals(1));

        // Its lease may still run: whoever thought it absent would not wait for that.
        assertThat(await(two.members()).absent()).isEmpty();
    }

    @Test
    void shouldRefuseAndForgetMoreThanOnce() {
        await(one.register(member(1)));

        assertThatCode(() -> {
                    await(two.refuseRenewals(1));
                    await(one.refuseRenewals(1));
                    await(two.forget(1));
                    await(one.forget(1));
                    await(one.refuseRenewals(1));
                    await(one.refuseRenewals(99));
                    await(one.forget(99));
                })
                .doesNotThrowAnyException();
        assertThat(await(one.members()).members()).isEmpty();
    }

    @Test
    void shouldNotRenewWhatWasNeverRegistered() {
        assertFails(one.renew(1), ErrorCode.FENCED);
    }

    @Test
    void shouldKeepAMemberAsAbsentWhenItsSessionEnds() {
        List<View> views = new CopyOnWriteArrayList<>();
        await(one.register(member(1)));
        await(two.register(member(2)));
        two.watch(views::add);

        environment.loseSession(one);

        environment.await("1 is absent", () -> last(views).absent().contains(1L));
        assertThat(last(views).members()).containsOnlyKeys(1L, 2L);
        assertThat(last(views).absent()).containsExactly(1L);
    }

    @Test
    void shouldReportThatAnAbsentMemberIsForgotten() {
        List<View> views = new CopyOnWriteArrayList<>();
        await(one.register(member(1)));
        two.watch(views::add);
        environment.loseSession(one);
        environment.await("1 is absent", () -> last(views).absent().contains(1L));

        await(two.forget(1));

        environment.await("1 is gone", () -> last(views).members().isEmpty());
        assertThat(last(views).absent()).isEmpty();
    }

    @Test
    void shouldNotRenewAfterTheSessionEnded() {
        await(one.register(member(1)));
        environment.loseSession(one);
        environment.await("1 is absent", () -> await(two.members()).absent().contains(1L));

        // Others need not wait for the lease of an absent member; so it must not be renewed by a new session either.
        environment.await("a new session answers", () -> answers(one));
        assertFails(one.renew(1), ErrorCode.FENCED);
    }

    @Test
    void shouldServeOnAfterItsSessionWasLost() {
        List<View> views = new CopyOnWriteArrayList<>();
        one.watch(views::add);
        await(one.register(member(1)));
        environment.loseSession(one);
        environment.await("a new session answers", () -> answers(one));

        await(one.register(member(2)));
        await(two.register(member(3)));

        assertThatCode(() -> await(one.renew(2))).doesNotThrowAnyException();
        environment.await("the watch goes on", () -> last(views).members().containsKey(3L));
        assertThat(last(views).absent()).containsExactly(1L);
    }

    private boolean answers(Coordinator coordinator) {
        try {
            await(coordinator.members());
            return true;
        } catch (RuntimeException notYet) {
            return false;
        }
    }

    @Test
    void shouldTakeAClosedSessionForAnEndedOne() {
        await(one.register(member(1)));

        one.close();

        environment.await("1 is absent", () -> await(two.members()).absent().contains(1L));
        assertFails(one.members(), ErrorCode.UNAVAILABLE);
    }
}
