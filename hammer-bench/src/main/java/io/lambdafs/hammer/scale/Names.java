package io.lambdafs.hammer.scale;

import io.lambdafs.model.FsPath;

/** Paths that contain their numbers: {@code /d12/f3}. Immutable. */
final class Names {
    private final FsPath[] directories;
    private final FsPath[] files;
    private final int perDirectory;

    Names(int directories, int perDirectory) {
        this.perDirectory = perDirectory;
        this.directories = new FsPath[directories];
        this.files = new FsPath[directories * perDirectory];
        for (int i = 0; i < directories; i++) {
            this.directories[i] = FsPath.of("/d" + i);
            for (int j = 0; j < perDirectory; j++) {
                files[i * perDirectory + j] = this.directories[i].child("f" + j);
            }
        }
    }

    FsPath directory(int directory) {
        return directories[directory];
    }

    FsPath file(int directory, int file) {
        return files[directory * perDirectory + file];
    }

    static int directoryOf(FsPath path) {
        return number(path.name(0));
    }

    static int fileOf(FsPath path) {
        return number(path.name(1));
    }

    private static int number(String name) {
        int number = 0;
        for (int i = 1; i < name.length(); i++) {
            number = number * 10 + name.charAt(i) - '0';
        }
        return number;
    }
}
