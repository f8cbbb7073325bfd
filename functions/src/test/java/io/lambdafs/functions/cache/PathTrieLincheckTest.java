package io.lambdafs.functions.cache;

import static io.lambdafs.functions.cache.Nodes.ROOT;
import static io.lambdafs.functions.cache.Nodes.dir;
import static io.lambdafs.functions.cache.Nodes.file;
import static io.lambdafs.functions.cache.Nodes.link;
import static io.lambdafs.functions.cache.Nodes.path;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.INode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * A store with the trie before it, used by several threads as PROTOCOL asks, answers as the store alone does under one: whatever is
 * cached, missing, void or evicted, every answer is what the store held at one moment between the question and the answer.
 */
@DisabledForJreRange(min = JRE.JAVA_25, disabledReason = "Lincheck's instrumentation is run on one JDK only")
class PathTrieLincheckTest {
    private static final int ITERATIONS = Integer.getInteger("lambdafs.lincheck.iterations", 1);
    private static final int INVOCATIONS = 100;

    /** Immutable, or touched under a mutex only: no interleaving within. */
    private static final String[] UNSHARED = Stream.of(
                    FsPath.class, INode.class, Listing.class, Footprint.class, Clock.class, Store.class)
            .map(Class::getName)
            .toArray(String[]::new);

    private static final FsPath DIRECTORY = path("/d");
    private static final int FILES = 2;

    /** The truth, and what is to be seen: versions of a directory's attributes and of two files, 0 for one that does not exist. */
    @Param(name = "file", gen = IntGen.class, conf = "0:1")
    public static class Store {
        private final long[] versions = {1, 0};
        private long last = 1;
        private long attributes;
        private long id = 100;

        @Operation
        public String read(@Param(name = "file") int file) {
            return "directory " + attributes + ", file " + versions[file];
        }

        @Operation
        public String list() {
            return "directory " + attributes + ", files " + versions[0] + " " + versions[1];
        }

        @Operation
        public void write(@Param(name = "file") int file) {
            versions[file] = ++last;
        }

        @Operation
        public void remove(@Param(name = "file") int file) {
            versions[file] = 0;
        }

        @Operation
        public void chmod() {
            attributes++;
        }

        @Operation
        public void writeBoth(@Param(name = "file") int file) {
            attributes++;
            write(file);
        }

        /** Another directory of the same path, and empty. */
        @Operation
        public void replace() {
            id++;
            versions[0] = 0;
            versions[1] = 0;
        }

        @Operation
        public void rejoin() {}

        @Operation
        public void crowd() {}

        INode directory() {
            return dir(ROOT.id(), "d", id).withTimes(1, attributes);
        }

        INode node(int file) {
            return file(id, "f" + file, 1_000 + file, versions[file]);
        }
    }

    /** The store behind a trie in which everything has room. */
    @Param(name = "file", gen = IntGen.class, conf = "0:1")
    public static class Cached {
        private final Store store = new Store();
        private final int contentBytes;
        final PathTrie trie;

        public Cached() {
            this(new CacheLimits(1 << 20, 16), 1);
        }

        Cached(CacheLimits limits, int contentBytes) {
            this.contentBytes = contentBytes;
            this.trie = Nodes.open(limits);
            read(0);
        }

        @Operation
        public String read(@Param(name = "file") int file) {
            while (true) {
                Walk walk = trie.walk(filePath(file));
                String answer = answer(walk);
                if (!isCurrent(walk)) {
                    continue;
                }
                return answer == null ? readThrough(file) : answer;
            }
        }

        private static String answer(Walk walk) {
            if (walk.isComplete()) {
                long version = walk.node(2).contentId();
                byte[] content = walk.content();
                String mismatch = content == null || content[0] == version ? "" : " with content of " + content[0];
                return "directory " + walk.node(1).atime() + ", file " + version + mismatch;
            }
            return walk.isAbsent() && walk.known() == 2 ? "directory " + walk.node(1).atime() + ", file 0" : null;
        }

        private String readThrough(int file) {
            Ticket early = trie.ticket();
            String answer;
            List<Fill> fills;
            synchronized (store) {
                answer = store.read(file);
                fills = fills(file);
            }
            trie.publish(ticket(early), fills);
            return answer;
        }

        @Operation
        public String list() {
            while (true) {
                Walk walk = trie.walk(DIRECTORY);
                Listing listing = walk.listing();
                String answer = listing == null ? null : answer(walk, listing);
                if (!isCurrent(walk)) {
                    continue;
                }
                return answer == null ? listThrough() : answer;
            }
        }

        private static String answer(Walk walk, Listing listing) {
            INode first = listing.find("f0");
            INode second = listing.find("f1");
            return "directory " + walk.node(1).atime() + ", files " + (first == null ? 0 : first.contentId()) + " "
                    + (second == null ? 0 : second.contentId());
        }

        private String listThrough() {
            Ticket early = trie.ticket();
            String answer;
            List<INode> children = new ArrayList<>();
            INode directory;
            synchronized (store) {
                answer = store.list();
                directory = store.directory();
                for (int i = 0; i < FILES; i++) {
                    if (store.versions[i] > 0) {
                        children.add(store.node(i));
                    }
                }
            }
            trie.publish(
                    ticket(early),
                    List.of(
                            link("/", ROOT),
                            link("/d", directory),
                            new Fill.Children(DIRECTORY, Listing.of(children))));
            return answer;
        }

        @Operation
        public void write(@Param(name = "file") int file) {
            lead(file, List.of(filePath(file)), () -> store.write(file));
        }

        /** The directory's attributes, which concern nobody below, and a file in one. */
        @Operation
        public void writeBoth(@Param(name = "file") int file) {
            lead(file, List.of(DIRECTORY, filePath(file)), () -> store.writeBoth(file));
        }

        /** Changes or creates a file, and publishes that as its leader does. */
        private void lead(int file, List<FsPath> entries, Runnable write) {
            Ticket ticket;
            List<Fill> fills;
            synchronized (store) {
                boolean created = store.versions[file] == 0;
                trie.invalidate(entries, created ? List.of(DIRECTORY) : List.of(), List.of());
                ticket = trie.ticket();
                write.run();
                fills = fills(file);
            }
            trie.publish(ticket, fills);
        }

        @Operation
        public void remove(@Param(name = "file") int file) {
            synchronized (store) {
                trie.invalidate(List.of(filePath(file)), List.of(DIRECTORY), List.of());
                store.remove(file);
            }
        }

        @Operation
        public void chmod() {
            synchronized (store) {
                trie.invalidate(List.of(), List.of(), List.of(DIRECTORY));
                store.chmod();
            }
        }

        @Operation
        public void replace() {
            synchronized (store) {
                trie.invalidate(List.of(), List.of(), List.of(DIRECTORY));
                store.replace();
            }
        }

        /** The instance is fenced, and comes back. */
        @Operation
        public void rejoin() {
            trie.clear();
            trie.open();
        }

        private List<Fill> fills(int file) {
            List<Fill> fills = new ArrayList<>(List.of(link("/", ROOT), link("/d", store.directory())));
            if (store.versions[file] > 0) {
                byte[] content = new byte[contentBytes];
                content[0] = (byte) store.versions[file];
                fills.add(new Fill.Entry(filePath(file), store.node(file), content));
            }
            return fills;
        }

        private static FsPath filePath(int file) {
            return DIRECTORY.child("f" + file);
        }

        boolean isCurrent(Walk walk) {
            return trie.isCurrent(walk.version());
        }

        /** Under which a fill is published, given the ticket from before it was read. */
        Ticket ticket(Ticket early) {
            return early;
        }
    }

    /** The same where a fourth file drives out another. */
    public static class Cramped extends Cached {
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
    public static class PublishingTooLate extends Cached {
        @Override
        Ticket ticket(Ticket early) {
            return trie.ticket();
        }
    }

    /** Answers from whatever it came across. */
    public static class MixingVersions extends Cached {
        @Override
        boolean isCurrent(Walk walk) {
            return true;
        }
    }

    @Test
    void shouldAnswerAsTheStoreUnderStress() {
        random(new StressOptions(), Cached.class);
    }

    @Test
    void shouldAnswerAsTheStoreInEveryInterleavingTried() {
        random(withRaces(Cached.class), Cached.class);
    }

    @Test
    void shouldAnswerAsTheStoreWhileItEvicts() {
        random(withRaces(Cramped.class), Cramped.class);
    }

    @Test
    void shouldSeeThatTicketsMatter() {
        shouldFail(PublishingTooLate.class);
    }

    @Test
    void shouldSeeThatVersionsMatter() {
        shouldFail(MixingVersions.class);
    }

    private static void shouldFail(Class<?> mistaken) {
        assertThatThrownBy(() -> bounded(withRaces(mistaken), 0).check(mistaken))
                .isInstanceOf(LincheckAssertionError.class);
    }

    private static void random(Options<?, ?> options, Class<?> structure) {
        bounded(options, ITERATIONS).check(structure);
    }

    private static Options<?, ?> bounded(Options<?, ?> options, int iterations) {
        return options.sequentialSpecification(Store.class)
                .iterations(iterations)
                .invocationsPerIteration(INVOCATIONS)
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(0)
                .actorsAfter(2)
                .minimizeFailedScenario(false);
    }

    /** Interleavings of the pairs that are most likely to go wrong, each looked at by reads afterwards. */
    private static ModelCheckingOptions withRaces(Class<?> structure) {
        ModelCheckingOptions options = new ModelCheckingOptions()
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(UNSHARED)
                        .allMethods()
                        .treatAsAtomic());
        List<Actor> after = List.of(call(structure, "read", 0), call(structure, "read", 1), call(structure, "list"));
        for (Actor reader : after) {
            for (Actor writer : writers(structure)) {
                options.addCustomScenario(
                        new ExecutionScenario(List.of(), List.of(List.of(reader), List.of(writer)), after, null));
            }
        }
        return options;
    }

    private static List<Actor> writers(Class<?> structure) {
        return List.of(
                call(structure, "write", 1),
                call(structure, "writeBoth", 0),
                call(structure, "remove", 0),
                call(structure, "chmod"),
                call(structure, "replace"));
    }

    private static Actor call(Class<?> structure, String name, Integer... arguments) {
        return Arrays.stream(structure.getMethods())
                .filter(method -> method.getName().equals(name) && method.getParameterCount() == arguments.length)
                .map(method -> new Actor(method, List.of((Object[]) arguments)))
                .findFirst()
                .orElseThrow();
    }
}
