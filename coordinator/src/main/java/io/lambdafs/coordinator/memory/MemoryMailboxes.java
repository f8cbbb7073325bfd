package io.lambdafs.coordinator.memory;

import io.lambdafs.coordinator.Mailboxes;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/** One client's access to the mailboxes of a {@link MemoryEnsemble}, notified of changes as by a watch. Thread-safe. */
final class MemoryMailboxes implements Mailboxes {
    private static final Comparator<Letter> ORDER =
            Comparator.comparingLong(Letter::box).thenComparing(Letter::name);

    private final MemoryCoordinator client;
    private final Map<Letter, CompletableFuture<byte[]>> awaited = new ConcurrentSkipListMap<>(ORDER);
    private final Set<Letter> handedOver = new ConcurrentSkipListSet<>(ORDER);
    private volatile Following following = new Following(Set.of(), null);

    private record Following(Set<Long> boxes, @Nullable Reader reader) {}

    MemoryMailboxes(MemoryCoordinator client) {
        this.client = client;
    }

    @Override
    public CompletionStage<Void> post(Letter letter, byte[] content) {
        return client.callVoid(() -> {
            client.ensemble().boxes().post(letter, content, client);
            client.ensemble().tellOfLetters();
        });
    }

    @Override
    public CompletionStage<byte[]> answer(Letter letter) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        awaited.put(letter, answer);
        client.tellOfLetters();
        return answer;
    }

    @Override
    public void remove(Letter letter) {
        awaited.remove(letter);
        client.callVoid(() -> client.ensemble().boxes().remove(letter));
    }

    @Override
    public void follow(Set<Long> boxes, Reader reader) {
        following = new Following(Set.copyOf(boxes), reader);
        client.tellOfLetters();
    }

    @Override
    public CompletionStage<Void> reply(Letter letter, byte[] answer) {
        return client.callVoid(() -> {
            client.ensemble().boxes().reply(letter, answer);
            client.ensemble().tellOfLetters();
        });
    }

    /** Checks the mailboxes, and for answers. */
    void look() {
        Following now = following;
        Reader reader = now.reader();
        if (reader != null) {
            Map<Letter, byte[]> found = new TreeMap<>(ORDER);
            for (Long box : now.boxes()) {
                client.ensemble()
                        .boxes()
                        .unanswered(box)
                        .forEach((name, content) -> found.put(new Letter(box, name), content));
            }
            handedOver.retainAll(found.keySet());
            found.forEach((letter, content) -> {
                if (following.boxes().contains(letter.box()) && handedOver.add(letter)) {
                    reader.read(letter, content);
                }
            });
        }
        for (Letter letter : List.copyOf(awaited.keySet())) {
            byte[] answer = client.ensemble().boxes().answer(letter);
            CompletableFuture<byte[]> waiting = answer == null ? null : awaited.remove(letter);
            if (waiting != null) {
                waiting.complete(answer);
            }
        }
    }
}
