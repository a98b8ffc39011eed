#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""top_methods - the ten methods that used most CPU time of their own.

	top_methods.py app.nettrace [libperfpipe-trace.so]
"""
import ctypes
import ctypes.util
import sys


class Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int), ("text", ctypes.c_char * 256)]


class Object(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ("result", "shape", "data")]


class Rows(ctypes.Structure):
    _fields_ = [("count", ctypes.c_size_t), ("total", ctypes.c_size_t), ("list", Object),
                ("first", ctypes.c_void_p), ("stride", ctypes.c_size_t)]


def load(path):
    path = path or ctypes.util.find_library("perfpipe-trace")
    library = ctypes.CDLL(path or sys.exit("libperfpipe-trace is not installed; pass its path"))
    for name, result, *arguments in [
            ("pp_report_new", ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.POINTER(Error)),
            ("pp_report_add_file", ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(Error)),
            ("pp_report_build", ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(Error)),
            ("pp_report_free", None, ctypes.c_void_p),
            ("pp_result_missing", ctypes.c_char_p, ctypes.c_void_p),
            ("pp_result_object", Object, ctypes.c_void_p),
            ("pp_object_rows", Rows, Object, ctypes.c_char_p),
            ("pp_row", Object, Rows, ctypes.c_size_t),
            ("pp_object_text", ctypes.c_char_p, Object, ctypes.c_char_p),
            ("pp_object_number", ctypes.c_int64, Object, ctypes.c_char_p, ctypes.c_int64)]:
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def main(path, library=None):
    pp, err = load(library), Error()
    report = pp.pp_report_new(b"cpu", None, err)
    if pp.pp_report_add_file(report, path.encode(), err) < 0:
        sys.exit(err.text.decode())
    result = pp.pp_report_build(report, err)
    if not result:
        sys.exit(err.text.decode())
    if pp.pp_result_missing(result):
        sys.exit(pp.pp_result_missing(result).decode())
    methods = pp.pp_object_rows(pp.pp_result_object(result), b"methods")
    for i in range(min(10, methods.count)):
        method = pp.pp_row(methods, i)
        ns = pp.pp_object_number(method, b"exclusive_ns", 0)
        print(f"{ns / 1e6:10.1f} ms  {pp.pp_object_text(method, b'name').decode()}")
    pp.pp_report_free(report)


main(*sys.argv[1:]) if 2 <= len(sys.argv) <= 3 else sys.exit(__doc__)
