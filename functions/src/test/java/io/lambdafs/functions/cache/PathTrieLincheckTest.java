package io.lambdafs.functions.cache;

import static io.lambdafs.functions.cache.Nodes.ROOT;
import static io.lambdafs.functions.cache.Nodes.file;
import static io.lambdafs.functions.cache.Nodes.link;
import static io.lambdafs.functions.cache.Nodes.path;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Options;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * A store with the trie before it, used by several threads (PROTOCOL: R1, R3, R7), answers as the store alone does under one: whatever is
 * cached, missing, void or evicted, every answer is what the store held at one moment between the question and the answer.
 * {@link PathTrieStressTest} does the like under load.
 */
@DisabledForJreRange(min = JRE.JAVA_25, disabledReason = "Lincheck's instrumentation is run on one JDK only")
@Tag("slow")
class PathTrieLincheckTest {
    private static final int ITERATIONS = Integer.getInteger("lambdafs.lincheck.iterations", 1);
    private static final int RANDOM_WALKS = 5;
    private static final int WALKS = 25;
    private static final int FILLS = 100;

    /** Immutable, or touched under a mutex only: no interleaving within. */
    private static final List<Class<?>> UNSHARED = List.of(
            FsPath.class,
            INode.class,
            INodeEncoding.class,
            Listing.class,
            Footprint.class,
            Clock.class,
            StoredDirectory.class);

    /** The same where a fourth file drives out another. */
    public static class Cramped extends CachedDirectory {
        private static final int CONTENT_BYTES = 15 << 10;

        private final AtomicInteger others = new AtomicInteger();

        public Cramped() {
            super(new CacheLimits(64 << 10, 2), CONTENT_BYTES);
            crowd();
        }

        /** Another file wants the memory. */
        @Operation
        public void crowd() {
            int number = others.incrementAndGet();
            INode node = file(ROOT.id(), "x" + number, 2_000 + number, 1);
            trie.publish(
                    trie.ticket(),
                    List.of(link("/", ROOT), new Fill.Entry(path("/x" + number), node, new byte[CONTENT_BYTES])));
        }
    }

    /** Publishes whatever was invalidated since it was read. */
    public static class PublishingTooLate extends CachedDirectory {
        @Override
        Ticket ticket(Ticket early) {
            return trie.ticket();
        }
    }

    /** Answers from whatever it came across. */
    public static class MixingVersions extends CachedDirectory {
        @Override
        boolean isCurrent(Walk walk) {
            return true;
        }
    }

    @Test
    void shouldAnswerAsTheStore() {
        check(interleaved(UNSHARED.stream()), ITERATIONS, RANDOM_WALKS, CachedDirectory.class);
    }

    @Test
    void shouldAnswerAsTheStoreWhileItEvicts() {
        check(interleaved(UNSHARED.stream()), ITERATIONS, RANDOM_WALKS, Cramped.class);
    }

    @Test
    void shouldAnswerInOneVersionBesideWrite() {
        check(walking("read", "writeBoth"), 0, WALKS, CachedDirectory.class);
    }

    @Test
    void shouldAnswerInOneVersionBesideReplacement() {
        check(walking("read", "replace"), 0, WALKS, CachedDirectory.class);
    }

    @Test
    void shouldFillNothingOldBesideWrite() {
        check(filling("read", "write"), 0, FILLS, CachedDirectory.class);
    }

    @Test
    void shouldListNothingOldBesideRemoval() {
        check(filling("list", "remove"), 0, FILLS, CachedDirectory.class);
    }

    @Test
    void shouldSeeThatVersionsMatter() {
        assertThatThrownBy(() -> check(walking("read", "writeBoth"), 0, WALKS, MixingVersions.class))
                .isInstanceOf(LincheckAssertionError.class);
    }

    @Test
    void shouldSeeThatTicketsMatter() {
        assertThatThrownBy(() -> check(filling("read", "write"), 0, FILLS, PublishingTooLate.class))
                .isInstanceOf(LincheckAssertionError.class);
    }

    /** A walk through what is cached, interrupted anywhere by a writer. */
    private static ModelCheckingOptions walking(String reader, String writer) {
        return race(UNSHARED.stream(), List.of(), reader, writer);
    }

    /** A fill of what is not cached, interrupted by a writer between the calls of the trie. */
    private static ModelCheckingOptions filling(String reader, String writer) {
        return race(
                Stream.concat(UNSHARED.stream(), Stream.of(PathTrie.class)), List.of(call("chmod")), reader, writer);
    }

    /** A reader beside a writer, of the same file; reads afterwards tell what stayed. */
    private static ModelCheckingOptions race(
            Stream<Class<?>> uninterrupted, List<Actor> before, String reader, String writer) {
        return interleaved(uninterrupted)
                .addCustomScenario(new ExecutionScenario(
                        before,
                        List.of(List.of(call(reader)), List.of(call(writer))),
                        List.of(call("read"), call("list")),
                        null));
    }

    private static ModelCheckingOptions interleaved(Stream<Class<?>> uninterrupted) {
        String[] names = uninterrupted.map(Class::getName).toArray(String[]::new);
        return new ModelCheckingOptions()
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(names)
                        .allMethods()
                        .treatAsAtomic());
    }

    private static Actor call(String name) {
        Method operation = Stream.of(CachedDirectory.class.getMethods())
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .orElseThrow();
        return new Actor(operation, operation.getParameterCount() == 0 ? List.of() : List.of(0));
    }

    private static void check(Options<?, ?> options, int iterations, int invocations, Class<?> structure) {
        options.sequentialSpecification(StoredDirectory.class)
                .iterations(iterations)
                .invocationsPerIteration(invocations)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(1)
                .actorsAfter(2)
                .minimizeFailedScenario(false)
                .check(structure);
    }
}
