package io.lambdafs.model;

/**
 * What a writer knows its file by, so that it reaches it wherever the file has been moved since. Immutable.
 *
 * @param id of the file
 * @param directoryId of the directory where it was made or opened; 0 where that is not known
 */
public record OpenFile(long id, long directoryId) {}
