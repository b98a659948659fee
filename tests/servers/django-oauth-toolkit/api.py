"""The assigned users of a project, behind the library's decorator."""

import threading

from django.http import HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from oauth2_provider.decorators import protected_resource

import seeds

_lock = threading.Lock()
_assigned = {project: {*seeds.ASSIGNMENTS.get(project, [])} for project in seeds.PROJECTS}


def _not_found():
    return JsonResponse({'detail': 'Not found.'}, status=404)


@protected_resource(scopes=['read'])
def _list(_, project):
    if project not in _assigned:
        return _not_found()
    with _lock:
        people = sorted(_assigned[project])
    results = [{'id': int(one), 'username': f'user{one}'} for one in people]
    return JsonResponse({'count': len(results), 'results': results})


@protected_resource(scopes=['write'])
def _assign(_, project, person):
    if project not in _assigned or person not in seeds.PEOPLE:
        return _not_found()
    with _lock:
        is_new = person not in _assigned[project]
        _assigned[project].add(person)
    return JsonResponse({'id': int(person)}, status=201 if is_new else 200)


@protected_resource(scopes=['destroy'])
def _unassign(_, project, person):
    if project not in _assigned or person not in seeds.PEOPLE:
        return _not_found()
    with _lock:
        _assigned[project].discard(person)
    return HttpResponse(status=204)


def _by_method(views):
    @csrf_exempt
    def view(request, **ids):
        chosen = views.get(request.method)
        return chosen(request, **ids) if chosen else HttpResponse(status=405)

    return view


users = _by_method({'GET': _list})
user = _by_method({'PUT': _assign, 'DELETE': _unassign})
