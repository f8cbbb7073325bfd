package io.lambdafs.coordinator.memory;

import io.lambdafs.coordinator.Mailboxes;
import io.lambdafs.model.FsException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The mailboxes of one in-memory ensemble. Thread-safe. */
final class MemoryBoxes {
    private final Map<Long, Map<String, Entry>> boxes = new TreeMap<>();

    private static final class Entry {
        private final byte[] content;
        private final MemoryCoordinator sender;
        private byte @Nullable [] answer;

        Entry(byte[] content, MemoryCoordinator sender) {
            this.content = content;
            this.sender = sender;
        }
    }

    synchronized void open(long box) {
        boxes.put(box, new TreeMap<>());
    }

    synchronized void remove(long box) {
        boxes.remove(box);
    }

    synchronized void post(Mailboxes.Letter letter, byte[] content, MemoryCoordinator sender) {
        Map<String, Entry> box = boxes.get(letter.box());
        if (box == null) {
            throw FsException.unavailable("no member has the epoch " + letter.box());
        }
        box.put(letter.name(), new Entry(content, sender));
    }

    synchronized void reply(Mailboxes.Letter letter, byte[] answer) {
        Entry entry = find(letter);
        if (entry != null) {
            entry.answer = answer;
        }
    }

    synchronized void remove(Mailboxes.Letter letter) {
        boxes.getOrDefault(letter.box(), new TreeMap<>()).remove(letter.name());
    }

    synchronized void removeLettersOf(MemoryCoordinator sender) {
        boxes.values().forEach(box -> box.values().removeIf(entry -> entry.sender == sender));
    }

    /** Returns a mailbox's unanswered letters. */
    synchronized Map<String, byte[]> unanswered(long box) {
        Map<String, byte[]> letters = new TreeMap<>();
        boxes.getOrDefault(box, Map.of()).forEach((name, entry) -> {
            if (entry.answer == null) {
                letters.put(name, entry.content);
            }
        });
        return letters;
    }

    synchronized byte @Nullable [] answer(Mailboxes.Letter letter) {
        Entry entry = find(letter);
        return entry == null ? null : entry.answer;
    }

    synchronized int letters() {
        return boxes.values().stream().mapToInt(Map::size).sum();
    }

    private @Nullable Entry find(Mailboxes.Letter letter) {
        return boxes.getOrDefault(letter.box(), Map.of()).get(letter.name());
    }
}
