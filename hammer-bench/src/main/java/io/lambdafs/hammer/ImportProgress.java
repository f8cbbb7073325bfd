package io.lambdafs.hammer;

/**
 * How far an import has come.
 *
 * @param done files and directories made
 * @param total files and directories to make
 * @param perSecond made per second since the first
 */
public record ImportProgress(long done, long total, double perSecond) {}
