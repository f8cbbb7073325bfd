package io.lambdafs.systemtests;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Below {@code NameNode.execute}, in the functions, the coordinator's core and the client's core, nothing blocks, starts a
 * thread, or asks the machine for the time or for randomness: all of these are passed in, so that a simulation can run the
 * same code under its own clock.
 */
class AsynchronousRuleTest {
    /** Process entries, and what wraps a library that blocks: they own threads, and may wait. */
    private static final List<String> EXEMPT_PACKAGES = List.of(Room.FUNCTION_ENTRIES, "coordinator.zookeeper");

    /** The blocking face of the client: the one class whose purpose is to wait. */
    private static final String BLOCKING_FACE = "client.BlockingLambdaFs";

    @ParameterizedTest
    @EnumSource(names = {"FUNCTIONS", "COORDINATOR", "CLIENT"})
    void shouldNeitherBlockNorAskTheMachine(Room room) {
        asynchronousRule(Code.ROOT, room)
                .allowEmptyShould(!Code.hasSources(room))
                .check(Code.production());
    }

    @Test
    void shouldNoticeWhatBlocks() {
        assertThat(failuresIn(Room.COORDINATOR))
                .anySatisfy(failure -> assertThat(failure).contains("waitForReply", "CompletableFuture.join"))
                .anySatisfy(failure -> assertThat(failure).contains("waitForResult", "Future.get"))
                .anySatisfy(failure -> assertThat(failure).contains("pause", "Thread.sleep"))
                .anySatisfy(failure -> assertThat(failure).contains("waitForNotify", "Object.wait"))
                .anySatisfy(failure -> assertThat(failure).contains("waitForLatch", "CountDownLatch.await"))
                .hasSize(5);
    }

    @Test
    void shouldNoticeThreadsAndClocks() {
        assertThat(failuresIn(Room.FUNCTIONS))
                .anySatisfy(failure -> assertThat(failure).contains("startThread", "Thread.<init>"))
                .anySatisfy(failure -> assertThat(failure).contains("elapsed", "System.nanoTime"))
                .anySatisfy(failure -> assertThat(failure).contains("clock", "System.currentTimeMillis"))
                .anySatisfy(failure -> assertThat(failure).contains("choose", "ThreadLocalRandom.current"))
                .anySatisfy(failure -> assertThat(failure).contains("onSomeThread", "CompletableFuture.supplyAsync"))
                .hasSize(5);
    }

    @Test
    void shouldAllowTheBlockingFaceAndNoOtherClassOfTheClient() {
        assertThat(failuresIn(Room.CLIENT)).singleElement().asString().contains("BlockingLambdaFsOfAnotherName");
    }

    private static List<String> failuresIn(Room room) {
        return asynchronousRule(Code.VIOLATIONS_ROOT, room)
                .evaluate(Code.violations())
                .getFailureReport()
                .getDetails();
    }

    private static ArchRule asynchronousRule(String root, Room room) {
        return classes()
                .that(Code.inRoom(room, root))
                .and(DescribedPredicate.not(exempt(root)))
                .should(callNothingThatIsNotPassedIn());
    }

    private static DescribedPredicate<JavaClass> exempt(String root) {
        String face = root + "." + BLOCKING_FACE;
        return DescribedPredicate.describe(
                "exempt",
                type -> type.getName().equals(face)
                        || type.getName().startsWith(face + "$")
                        || EXEMPT_PACKAGES.stream()
                                .anyMatch(name -> Room.isWithin(type.getPackageName(), root + "." + name)));
    }

    private static ArchCondition<JavaClass> callNothingThatIsNotPassedIn() {
        return new ArchCondition<>("neither block, nor start threads, nor ask the machine for time or randomness") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                for (JavaCodeUnitAccess<?> access : type.getCodeUnitAccessesFromSelf()) {
                    if (FORBIDDEN.stream().anyMatch(call -> call.matches(access))) {
                        events.add(SimpleConditionEvent.violated(access, access.getDescription()));
                    }
                }
            }
        };
    }

    private static final List<ForbiddenCall> FORBIDDEN = List.of(
            // Waiting
            new ForbiddenCall("java.util.concurrent.Future", Set.of("get")),
            new ForbiddenCall("java.util.concurrent.CompletableFuture", Set.of("join", "get")),
            new ForbiddenCall("java.util.concurrent.ForkJoinTask", Set.of("join", "get", "invoke")),
            new ForbiddenCall(
                    "io.netty.util.concurrent.Future",
                    Set.of("get", "sync", "syncUninterruptibly", "await", "awaitUninterruptibly")),
            new ForbiddenCall("java.lang.Object", Set.of("wait")),
            new ForbiddenCall("java.util.concurrent.locks.LockSupport", Set.of("park", "parkNanos", "parkUntil")),
            new ForbiddenCall(
                    "java.util.concurrent.locks.Condition",
                    Set.of("await", "awaitNanos", "awaitUntil", "awaitUninterruptibly")),
            new ForbiddenCall("java.util.concurrent.CountDownLatch", Set.of("await")),
            new ForbiddenCall("java.util.concurrent.CyclicBarrier", Set.of("await")),
            new ForbiddenCall("java.util.concurrent.Semaphore", Set.of("acquire", "acquireUninterruptibly")),
            new ForbiddenCall("java.util.concurrent.BlockingQueue", Set.of("put", "take")),
            new ForbiddenCall(
                    "java.util.concurrent.ExecutorService", Set.of("awaitTermination", "invokeAll", "invokeAny")),
            // Threads of one's own, or of everybody's
            new ForbiddenCall("java.lang.Thread", Set.of("<init>", "start", "sleep", "join")),
            new ForbiddenCall("java.util.Timer", Set.of("<init>")),
            new ForbiddenCall("java.util.concurrent.ForkJoinPool", Set.of("<init>", "commonPool")),
            new ForbiddenCall("java.util.concurrent.ThreadPoolExecutor", Set.of("<init>")),
            new ForbiddenCall(
                    "java.util.concurrent.Executors",
                    Set.of(
                            "newCachedThreadPool",
                            "newFixedThreadPool",
                            "newScheduledThreadPool",
                            "newSingleThreadExecutor",
                            "newSingleThreadScheduledExecutor",
                            "newWorkStealingPool")),
            // The machine's clock and dice
            new ForbiddenCall("java.lang.System", Set.of("nanoTime", "currentTimeMillis")),
            new ForbiddenCall("java.time.Instant", Set.of("now")),
            new ForbiddenCall("java.time.Clock", Set.of("systemUTC", "systemDefaultZone", "system")),
            new ForbiddenCall(
                    "java.util.concurrent.CompletableFuture",
                    Set.of("orTimeout", "completeOnTimeout", "delayedExecutor")),
            new ForbiddenCall("java.util.concurrent.ThreadLocalRandom", Set.of("current")),
            new ForbiddenCall("java.lang.Math", Set.of("random")),
            new ForbiddenCall("java.util.UUID", Set.of("randomUUID")),
            // A stage that hops to the common pool
            new ForbiddenCall("java.util.concurrent.CompletionStage", Set.of()) {
                @Override
                boolean matches(JavaCodeUnitAccess<?> access) {
                    return access.getTargetOwner().isAssignableTo(owner)
                            && access.getName().endsWith("Async")
                            && access.getTarget().getRawParameterTypes().stream()
                                    .noneMatch(type -> type.isAssignableTo("java.util.concurrent.Executor"));
                }
            });

    /** Methods and constructors of one type and of all that extend it, called or referred to. */
    private static class ForbiddenCall {
        final String owner;
        private final Set<String> names;

        ForbiddenCall(String owner, Set<String> names) {
            this.owner = owner;
            this.names = names;
        }

        boolean matches(JavaCodeUnitAccess<?> access) {
            return names.contains(access.getName()) && access.getTargetOwner().isAssignableTo(owner);
        }
    }
}
