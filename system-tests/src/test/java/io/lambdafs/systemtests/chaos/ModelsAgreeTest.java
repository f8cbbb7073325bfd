package io.lambdafs.systemtests.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.testing.history.ModelService;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The simulation's model and the checker's are of one mind: what the one answers the other finds legal, and where an answer is changed
 * both refuse it.
 */
class ModelsAgreeTest {
    private static final Principal ROOT = new Principal("root", List.of(Principal.SUPERGROUP));
    private static final FsPath WORLD = FsPath.of("/w");
    private static final int WORLDS = 150;
    private static final int CALLS = 40;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldFindLegalWhatTheModelAnswers(int seed) throws Exception {
        Random random = new Random(seed);
        Path file = directory.resolve("history.jsonl");
        try (History history = new History(file, new Progress())) {
            for (int world = 1; world <= WORLDS; world++) {
                ModelService model = new ModelService();
                List<Request> requests = requests(random);
                for (int at = 0; at < requests.size(); at++) {
                    Request request = requests.get(at);
                    Reply reply = model.ask(ROOT, request.inWorld(WORLD));
                    // Calls overlap, and this order remains one that explains them.
                    note(history, world, at, request, reply, random.nextInt(4));
                }
            }
        }

        Checker.Verdict verdict = Checker.build(directory).judge(file);

        assertThat(verdict.lines()).filteredOn(line -> !line.endsWith(": OK")).hasSize(1);
        assertThat(verdict.isLegal()).as(verdict.summary()).isTrue();
    }

    @Test
    void shouldBothRefuseAnAnswerThatIsChanged() throws Exception {
        Random random = new Random(4);
        Path file = directory.resolve("history.jsonl");
        List<String> changes = new ArrayList<>();
        try (History history = new History(file, new Progress())) {
            for (int world = 1; world <= WORLDS; world++) {
                ModelService model = new ModelService();
                List<Request> requests = requests(random);
                int wrong = random.nextInt(requests.size());
                for (int at = 0; at <= wrong; at++) {
                    Request request = requests.get(at);
                    Operation<?> operation = request.inWorld(WORLD);
                    Reply reply = at == wrong ? changed(model, operation, random) : model.ask(ROOT, operation);
                    note(history, world, at, request, reply, 0);
                    if (at == wrong) {
                        changes.add("world " + world + ": " + request + " -> " + reply);
                    }
                }
            }
        }

        Checker.Verdict verdict = Checker.build(directory).judge(file);

        for (int world = 1; world <= WORLDS; world++) {
            assertThat(verdict.lines()).as(changes.get(world - 1)).contains("world " + world + ": ILLEGAL");
        }
    }

    private static List<Request> requests(Random random) {
        List<Request> all = new ArrayList<>(List.of(Request.makeWorld()));
        while (all.size() < CALLS) {
            all.add(Request.random(random));
        }
        return all;
    }

    /** Another answer than the model's, which the model refuses. */
    private static Reply changed(ModelService model, Operation<?> operation, Random random) {
        for (Reply each : others(model.answer(ROOT, operation), random)) {
            if (!model.couldAnswer(ROOT, operation, each)) {
                return each;
            }
        }
        throw new AssertionError("the model takes any answer to " + operation);
    }

    private static List<Reply> others(Reply right, Random random) {
        List<Reply> all = new ArrayList<>();
        Reply failure = new Reply.Failure(random.nextBoolean() ? ErrorCode.NOT_EMPTY : ErrorCode.NOT_FOUND, "");
        if (right instanceof Reply.Done done) {
            all.add(new Reply.Done(!done.changed()));
        } else if (right instanceof Reply.Status status) {
            all.add(random.nextBoolean() ? new Reply.Status(changed(status.attributes(), random)) : failure);
        } else if (right instanceof Reply.Opened opened) {
            all.add(
                    random.nextBoolean()
                            ? new Reply.Opened(opened.attributes(), new byte[] {1}, List.of())
                            : new Reply.Opened(changed(opened.attributes(), random), opened.content(), List.of()));
        } else if (right instanceof Reply.Page page && !page.entries().isEmpty()) {
            int at = random.nextInt(page.entries().size());
            List<Attributes> entries = new ArrayList<>(page.entries());
            Attributes taken = entries.remove(at);
            if (random.nextBoolean()) {
                entries.add(at, changed(taken, random));
            }
            all.add(new Reply.Page(entries, false));
        } else {
            all.add(failure);
        }
        all.add(new Reply.Failure(ErrorCode.NOT_EMPTY, ""));
        all.add(new Reply.Failure(ErrorCode.NOT_ALLOWED, ""));
        return all;
    }

    /** With another mode, or as many more bytes or children. */
    private static Attributes changed(Attributes right, Random random) {
        INode.Traits traits = right.traits();
        if (random.nextBoolean()) {
            return new Attributes(
                    right.name(),
                    right.id(),
                    new INode.Traits(
                            traits.kind(),
                            traits.owner(),
                            traits.group(),
                            traits.mode() ^ 0400,
                            traits.replication(),
                            traits.blockSize(),
                            traits.content()),
                    right.size(),
                    right.mtime(),
                    right.atime(),
                    right.children());
        }
        long more = right.isDirectory() ? 1 : 0;
        return new Attributes(
                right.name(),
                right.id(),
                traits,
                right.size() + 1 - more,
                right.mtime(),
                right.atime(),
                right.children() + more);
    }

    /** @param overlap by how much the call begins before the last one has ended */
    private static void note(History history, int world, int at, Request request, Reply reply, int overlap) {
        Answer answer = reply instanceof Reply.Failure failure
                ? Answer.of(0, null, failure.toException())
                : Answer.of(0, reply, null);
        history.completed(
                new History.Asked(world, at, request),
                new Answer(
                        10L * at - 10L * overlap,
                        10L * at + 5,
                        answer.shown(),
                        answer.code(),
                        answer.message(),
                        false));
    }
}
