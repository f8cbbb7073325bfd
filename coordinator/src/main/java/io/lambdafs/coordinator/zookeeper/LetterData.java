package io.lambdafs.coordinator.zookeeper;

import java.util.Arrays;

/** Encodes the data of a letter's node: a type byte, then the letter or its answer. Stateless. */
final class LetterData {
    private static final byte UNANSWERED = 0;
    private static final byte ANSWERED = 1;

    private LetterData() {}

    static byte[] unanswered(byte[] content) {
        return with(UNANSWERED, content);
    }

    static byte[] answer(byte[] answer) {
        return with(ANSWERED, answer);
    }

    static boolean isAnswer(byte[] data) {
        return data.length > 0 && data[0] == ANSWERED;
    }

    static byte[] content(byte[] data) {
        return Arrays.copyOfRange(data, Math.min(1, data.length), data.length);
    }

    private static byte[] with(byte kind, byte[] content) {
        byte[] data = new byte[content.length + 1];
        data[0] = kind;
        System.arraycopy(content, 0, data, 1, content.length);
        return data;
    }
}
