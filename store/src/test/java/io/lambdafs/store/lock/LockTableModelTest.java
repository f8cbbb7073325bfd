package io.lambdafs.store.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.testkit.ManualScheduler;
import io.lambdafs.store.Key;
import io.lambdafs.store.LockMode;
import io.lambdafs.store.Read;
import io.lambdafs.store.Schema;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lock table against a model that is as simple as can be: lists that are searched from the start every time. */
class LockTableModelTest {
    private static final int OWNERS = 8;
    private static final int KEYS = 5;
    private static final int STEPS = 20_000;

    private enum Outcome {
        HELD,
        WAITING,
        FAILED
    }

    /** An owner in the model: what it holds, and what it still wants, of which the first is waited for. */
    private static final class Party {
        final Map<Key, LockMode> held = new HashMap<>();
        List<Read> wanted = new ArrayList<>();
        long arrived = -1;
        boolean over;
    }

    private static final class Model {
        final List<Party> parties = new ArrayList<>();
        long arrivals;

        boolean blocked(Party party, Read read, boolean newcomer) {
            return !blockers(party, read, newcomer ? Long.MAX_VALUE : party.arrived)
                    .isEmpty();
        }

        /** Conflicting holders, and all who came earlier to the key. */
        Set<Party> blockers(Party party, Read read, long arrived) {
            Set<Party> found = new HashSet<>();
            for (Party other : parties) {
                LockMode held = other.held.get(read.key());
                boolean conflict = held == LockMode.EXCLUSIVE || (held != null && read.lock() == LockMode.EXCLUSIVE);
                boolean earlier = other.arrived >= 0
                        && other.arrived < arrived
                        && other.wanted.get(0).key().equals(read.key());
                if (other != party && (conflict || earlier)) {
                    found.add(other);
                }
            }
            return found;
        }

        void ask(Party party, List<Read> sorted) {
            party.wanted = new ArrayList<>(sorted);
            proceed(party);
            settle();
        }

        void proceed(Party party) {
            party.arrived = -1;
            while (!party.wanted.isEmpty()) {
                Read read = party.wanted.get(0);
                LockMode held = party.held.get(read.key());
                if (held == null && blocked(party, read, true)) {
                    if (reaches(blockers(party, read, Long.MAX_VALUE), party, new HashSet<>())) {
                        end(party);
                    } else {
                        party.arrived = arrivals++;
                    }
                    return;
                }
                if (held == LockMode.SHARED && read.lock() == LockMode.EXCLUSIVE) {
                    end(party);
                    return;
                }
                party.held.putIfAbsent(read.key(), read.lock());
                party.wanted.remove(0);
            }
        }

        boolean reaches(Set<Party> from, Party goal, Set<Party> seen) {
            for (Party party : from) {
                if (party == goal) {
                    return true;
                }
                if (party.arrived >= 0
                        && seen.add(party)
                        && reaches(blockers(party, party.wanted.get(0), party.arrived), goal, seen)) {
                    return true;
                }
            }
            return false;
        }

        void end(Party party) {
            party.over = true;
            party.arrived = -1;
            party.held.clear();
            party.wanted.clear();
        }

        void settle() {
            boolean again = true;
            while (again) {
                again = false;
                for (Party party : parties) {
                    if (party.arrived >= 0 && !blocked(party, party.wanted.get(0), false)) {
                        Read granted = party.wanted.remove(0);
                        party.held.put(granted.key(), granted.lock());
                        proceed(party);
                        again = true;
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldGrantWhatTheModelGrants(long seed) {
        Random random = new Random(seed);
        ManualScheduler scheduler = new ManualScheduler(seed);
        LockTable table = new LockTable(scheduler, 100);
        Model model = new Model();
        List<LockTable.Owner> owners = new ArrayList<>();
        List<CompletableFuture<Void>> calls = new ArrayList<>();
        for (int i = 0; i < OWNERS; i++) {
            owners.add(table.owner());
            calls.add(CompletableFuture.completedFuture(null));
            model.parties.add(new Party());
        }
        Set<Outcome> seen = EnumSet.noneOf(Outcome.class);
        for (int step = 0; step < STEPS; step++) {
            int who = random.nextInt(OWNERS);
            Party party = model.parties.get(who);
            if (party.over || random.nextInt(4) == 0) {
                table.release(owners.get(who));
                model.end(party);
                model.settle();
                owners.set(who, table.owner());
                calls.set(who, CompletableFuture.completedFuture(null));
                model.parties.set(who, new Party());
            } else if (party.arrived < 0) {
                List<Read> reads = reads(random, 1);
                calls.set(who, table.acquire(owners.get(who), reads, 1_000).toCompletableFuture());
                model.ask(party, LockOrder.of(reads));
            }
            scheduler.run();
            for (int i = 0; i < OWNERS; i++) {
                Outcome expected = outcome(model.parties.get(i));
                seen.add(expected);
                assertThat(outcome(calls.get(i)))
                        .as("seed %d step %d owner %d", seed, step, i)
                        .isEqualTo(expected);
            }
        }
        assertThat(seen).hasSize(Outcome.values().length);
    }

    /** Which of two grants comes first is nobody's business, but decides who closes a cycle: so no model here, only the rules. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldNeitherConflictNorForgetAnybodyInCallsOfManyKeys(long seed) {
        Random random = new Random(seed);
        ManualScheduler scheduler = new ManualScheduler(seed);
        LockTable table = new LockTable(scheduler, 100);
        List<LockTable.Owner> owners = new ArrayList<>();
        List<CompletableFuture<Void>> calls = new ArrayList<>();
        for (int i = 0; i < OWNERS; i++) {
            owners.add(table.owner());
            calls.add(CompletableFuture.completedFuture(null));
        }
        for (int step = 0; step < STEPS; step++) {
            int who = random.nextInt(OWNERS);
            Outcome before = outcome(calls.get(who));
            if (before == Outcome.FAILED || random.nextInt(4) == 0) {
                table.release(owners.get(who));
                owners.set(who, table.owner());
                calls.set(who, CompletableFuture.completedFuture(null));
            } else if (before == Outcome.HELD) {
                calls.set(
                        who,
                        table.acquire(owners.get(who), reads(random, 3), 1_000).toCompletableFuture());
            }
            scheduler.run();
            assertThat(calls)
                    .as("seed %d step %d: all wait for each other", seed, step)
                    .anyMatch(CompletableFuture::isDone);
            for (long key = 0; key < KEYS; key++) {
                assertThat(exclusion(table, owners, Schema.LISTINGS.key(key))).isTrue();
            }
        }
        owners.forEach(owner -> {
            table.release(owner);
            scheduler.run();
        });
        assertThat(calls).allMatch(CompletableFuture::isDone);
        assertThat(table.statistics().keys()).isZero();
    }

    private static boolean exclusion(LockTable table, List<LockTable.Owner> owners, Key key) {
        List<LockMode> held = owners.stream()
                .map(owner -> table.held(owner, key))
                .filter(mode -> mode != LockMode.NONE)
                .toList();
        return held.size() < 2 || !held.contains(LockMode.EXCLUSIVE);
    }

    private static List<Read> reads(Random random, int most) {
        List<Read> reads = new ArrayList<>();
        for (int n = 1 + random.nextInt(most); n > 0; n--) {
            Key key = Schema.LISTINGS.key((long) random.nextInt(KEYS));
            reads.add(random.nextInt(3) == 0 ? Read.exclusive(key) : Read.shared(key));
        }
        return reads;
    }

    private static Outcome outcome(Party party) {
        return party.over ? Outcome.FAILED : party.arrived >= 0 ? Outcome.WAITING : Outcome.HELD;
    }

    private static Outcome outcome(CompletableFuture<Void> call) {
        return !call.isDone() ? Outcome.WAITING : call.isCompletedExceptionally() ? Outcome.FAILED : Outcome.HELD;
    }
}
