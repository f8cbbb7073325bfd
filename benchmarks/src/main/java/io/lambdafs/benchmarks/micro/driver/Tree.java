package io.lambdafs.benchmarks.micro.driver;

/**
 * Names directories with equally many empty files, by number. Immutable.
 *
 * @param root an absolute path
 * @param directories at least 1
 * @param files files per directory
 */
record Tree(String root, int directories, int files) {
    String directory(int number) {
        return root + "/d" + number;
    }

    String file(int directory, int number) {
        return directory(directory) + "/f" + number;
    }

    /** Returns the number of files. */
    int size() {
        return directories * files;
    }

    /** Returns the file with a number below {@link #size}; neighbours lie in different directories. */
    String file(int number) {
        return file(number % directories, number / directories);
    }
}
